import { type Stretch, stretchOf } from '../http/paging.ts';
import { beginningOf, beginningOfNext, type Month, monthOf } from '../shared/month.ts';
import { ulidTime } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { isInLane } from './lane.ts';
import { partitionsOfMonth } from './ledgerKey.ts';
import type { LedgerReader, Version } from './store.ts';
import { pastKey, pastRecord, versionChoice } from './versionChoice.ts';

/** A stretch of time, epoch milliseconds: `from` included, `to` not. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface WalkRequest {
  readonly tenant: Pick<Tenant, 'tenant_id' | 'shards'>;
  readonly period: Period;
  readonly descending: boolean;
  /** Bound of the keys that are left, as the page before gave it; undefined at the start. */
  readonly after: string | undefined;
  /** The only lane whose records are shown; null shows every lane's. */
  readonly residency: string | null;
  /** Which versions are seen, epoch milliseconds. */
  readonly asOf: number;
  readonly limit: number;
}

/** Sorts behind every key with the same beginning. */
const LAST = '~';

/** The keys between which a walk still moves. */
const keyRange = ({ period, descending, after }: WalkRequest): { from: string; to: string } => {
  const from = ulidTime(period.from);
  const to = `${ulidTime(period.to - 1)}${LAST}`;
  if (after === undefined) return { from, to };
  return descending ? { from, to: after } : { from: after, to };
};

/** One shard of a month, read a few versions at a time. */
const shardReader = (
  ledger: LedgerReader,
  request: WalkRequest,
  partition: string,
  range: { from: string; to: string },
  chunk: number,
) => {
  let buffer: Version[] = [];
  let more = true;
  let { from, to } = range;
  return {
    /** The next version, without taking it; undefined at the end. */
    head: async (): Promise<Version | undefined> => {
      while (buffer.length === 0 && more) {
        const read = await ledger.read(request.tenant.tenant_id, {
          partition,
          from,
          to,
          descending: request.descending,
          limit: chunk,
        });
        buffer = read.versions;
        more = read.last !== null;
        if (read.last !== null) {
          ({ from, to } = keyRange({ ...request, after: pastKey(read.last, request.descending) }));
        }
      }
      return buffer[0];
    },
    take: () => {
      buffer = buffer.slice(1);
    },
  };
};

/** The months a walk has yet to visit, in its direction. */
const monthsAhead = (
  months: readonly Month[],
  request: WalkRequest,
  range: { from: string; to: string },
): Month[] => {
  const first = monthOf(Math.max(request.period.from, 0));
  const last = monthOf(request.period.to - 1);
  const ahead = months
    .filter((month) => month >= first && month <= last)
    .filter((month) => {
      const begin = beginningOf(month);
      const end = beginningOfNext(month);
      return `${ulidTime(end - 1)}${LAST}` >= range.from && ulidTime(begin) <= range.to;
    });
  return request.descending ? ahead.reverse() : ahead;
};

/** Versions examined for each one asked for, at most: what a lane or a newer version hides must not make a page read the whole ledger. */
const EXAMINED_FACTOR = 4;

/**
 * The next versions of a tenant's records in order of time, one for each record: the one that held at `asOf`.
 * Keys never change and reads are strongly consistent, so a walk from key to key returns what was there exactly once.
 * Reads are bounded by the page: one for the months, then about `limit` versions over the shards of each month.
 */
export const walk = async (ledger: LedgerReader, request: WalkRequest): Promise<Stretch<Version>> => {
  const range = keyRange(request);
  // One more than asked for tells whether the collection goes on.
  const wanted = request.limit + 1;
  const found: Version[] = [];
  const { descending, asOf, residency } = request;
  const choice = versionChoice(asOf, descending);
  const show = (chosen: readonly Version[]) =>
    found.push(...chosen.filter(({ attribution }) => isInLane(attribution.record, residency)));
  let examined = 0;
  for (const month of monthsAhead(await ledger.months(request.tenant.tenant_id), request, range)) {
    const partitions = partitionsOfMonth(request.tenant, month);
    const chunk = Math.ceil((wanted - found.length) / partitions.length) + (partitions.length > 1 ? 4 : 0);
    const shards = partitions.map((partition) => shardReader(ledger, request, partition, range, chunk));
    while (found.length < wanted) {
      const heads = await Promise.all(shards.map((shard) => shard.head()));
      let next: { version: Version; index: number } | undefined;
      for (const [index, version] of heads.entries()) {
        if (version === undefined) continue;
        const before = next === undefined || version.key < next.version.key !== descending;
        if (before) next = { version, index };
      }
      if (next === undefined) break;
      shards[next.index]?.take();
      show(choice.offer(next.version));
      examined += 1;
      if (examined >= EXAMINED_FACTOR * wanted && found.length < wanted) {
        return { items: found, resume: choice.resume(next.version) };
      }
    }
    if (found.length >= wanted) break;
  }
  show(choice.end());
  return stretchOf(found, request.limit, ({ key }) => pastRecord(key, descending));
};
