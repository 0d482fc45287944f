import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { type RollupGrain, RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { type Content, noContent } from '../records/content.ts';
import { startOf } from './grain.ts';

/** A stored sum: of the records of one ledger shard in a minute, or of a whole hour or day, which have shard 0. */
export interface RollupUnit {
  readonly grain: RollupGrain;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly shard: number;
}

/** An item of the table, in the types of DynamoDB. */
export type Item = Readonly<
  Record<
    string,
    {
      readonly S?: string | undefined;
      readonly N?: string | undefined;
      readonly B?: Uint8Array | undefined;
      readonly L?: readonly { readonly S?: string | undefined }[] | undefined;
    }
  >
>;

/** Most compressed bytes of groups in one item, well below the DynamoDB item limit of 400 KB. */
const PART_BYTES = 200_000;
/** Most groups in one part. A group takes about 100 bytes compressed. */
const PART_GROUPS = 1_500;

/** Partition key: one partition for the minutes of an hour, the hours of a day, or the days of a month. */
export const partitionOf = (tenantId: string, grain: RollupGrain, start: number): string => {
  const instant = toIso(start);
  const range = { minute: instant.slice(0, 13), hour: instant.slice(0, 10), day: instant.slice(0, 7) }[grain];
  return `${tenantId}#${grain}#${range}`;
};

const NEXT_PARTITION: Readonly<Record<RollupGrain, (start: number) => number>> = {
  minute: (start) => startOf('hour', start) + HOUR_MS,
  hour: (start) => startOf('day', start) + DAY_MS,
  day: (start) => Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1),
};

/** The starts of a time range in each partition that it touches. Epoch milliseconds, `to` excluded. */
export const partitionStarts = (grain: RollupGrain, from: number, to: number): number[] => {
  const starts: number[] = [];
  for (let start = from; start < to; start = NEXT_PARTITION[grain](start)) starts.push(start);
  return starts;
};

const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length;
const SHARD_DIGITS = 3;
const HEAD_LENGTH = INSTANT_LENGTH + 1 + SHARD_DIGITS;

/** Sort key of the head of a unit. The parts of large sums follow it: `<head>#<generation>#<number>`. */
export const headKeyOf = ({ start, shard }: Pick<RollupUnit, 'start' | 'shard'>): string =>
  `${toIso(start)}#${String(shard).padStart(SHARD_DIGITS, '0')}`;
export const partKeyOf = (head: string, generation: string, part: number): string =>
  `${head}#${generation}#${String(part).padStart(SHARD_DIGITS, '0')}`;

/** The name of the parts of one write. It begins with the revision that the write makes, so that it shows when it is past. */
export const generationOf = (revision: number, id: string): string => `${revision}.${id}`;

/**
 * The parts that no head can ever name: their writer died before it wrote the head, and another one has made the same revision
 * or a later one.
 */
export const lostParts = (items: readonly Item[]): Item[] => {
  const heads = new Map(items.filter(isHead).map((head) => [sortKeyIn(head), head]));
  return items.filter((item) => {
    const head = heads.get(headKeyIn(item));
    if (head === undefined || head === item) return false;
    const generation =
      sortKeyIn(item)
        .slice(HEAD_LENGTH + 1)
        .split('#', 1)[0] ?? '';
    return (
      generation !== head['generation']?.S && Number.parseInt(generation, 10) <= numberIn(head, 'revision')
    );
  });
};

/** Sort keys of the heads and parts in a time range, both ends included. */
export const keyRangeOf = (from: number, to: number) => ({
  from: toIso(from),
  to: `${toIso(to - 1)}~`,
});

const sortKeyIn = (item: Item): string => item['sk']?.S ?? '';
export const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name]?.N ?? 0);
/** The content of the ledger that a sum was computed from. */
export const contentIn = (head: Item): Content => ({
  versions: numberIn(head, 'versions'),
  digest: head['digest']?.S ?? noContent.digest,
});
export const CONTENT_ATTRIBUTES = 'versions, digest';
export const isHead = (item: Item): boolean => sortKeyIn(item).length === HEAD_LENGTH;
/** The sort key of the head that an item belongs to. */
export const headKeyIn = (item: Item): string => sortKeyIn(item).slice(0, HEAD_LENGTH);
export const unitIn = (head: Item): Pick<RollupUnit, 'start' | 'shard'> => ({
  start: Date.parse(sortKeyIn(head).slice(0, INSTANT_LENGTH)),
  shard: Number(sortKeyIn(head).slice(INSTANT_LENGTH + 1, HEAD_LENGTH)),
});

const Groups = z.array(RollupGroup);

const pack = (groups: readonly RollupGroup[]): Buffer => deflateRawSync(JSON.stringify(groups));

/** Compresses groups into parts that each fit into one item. */
export const packParts = (groups: readonly RollupGroup[]): Buffer[] => {
  const packed = pack(groups);
  if (groups.length <= 1 || (groups.length <= PART_GROUPS && packed.length <= PART_BYTES)) return [packed];
  const half = Math.ceil(groups.length / 2);
  return [...packParts(groups.slice(0, half)), ...packParts(groups.slice(half))];
};

export const unpackPart = (item: Item): RollupGroup[] =>
  Groups.parse(JSON.parse(inflateRawSync(item['groups']?.B ?? new Uint8Array()).toString('utf8')));

/**
 * The parts of a sum, from its head and the items behind it: the head itself, or the items of its generation. Null when some
 * are missing, because the sum was replaced between two pages of a query.
 */
export const partsOf = (head: Item, others: readonly Item[]): readonly Item[] | null => {
  const generation = head['generation']?.S;
  if (generation === undefined) return [head];
  const parts = others.filter((item) => sortKeyIn(item).startsWith(`${sortKeyIn(head)}#${generation}#`));
  return parts.length === numberIn(head, 'parts') ? parts : null;
};
