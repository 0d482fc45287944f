import * as z from 'zod';
import { LENGTH, startOf } from '../../rollups/grain.ts';
import { type Line, lineSortKey, StoredLine } from '../focus/line.ts';

/** Lines in order that wait as text, one JSON document each: what was gathered until memory was full. */
export const SortedRun = z.object({
  key: z.string(),
  bytes: z.int(),
  /** The first line's key as text: no line lies before it. */
  first: z.string(),
  /** How many lines begin on which day, epoch milliseconds; ascending. */
  days: z.array(z.tuple([z.int(), z.int()])),
});
export type SortedRun = z.infer<typeof SortedRun>;

/** Lines as text, one JSON document each. */
export const encodeLines = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(StoredLine.encode(line))}\n`).join('');

/** Lines of such a text. Throws a ZodError or a SyntaxError on anything else. */
export const decodeLines = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => StoredLine.decode(JSON.parse(line)));

/** What is to be known of lines, in order and at least one, before they are read again. */
export const describeRun = (key: string, text: string, lines: readonly Line[]): SortedRun => {
  const days = new Map<number, number>();
  for (const { key: line } of lines) {
    const day = startOf('day', line.start);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const [first] = lines;
  if (first === undefined) throw new RangeError('a run holds a line at least');
  return { key, bytes: Buffer.byteLength(text), first: lineSortKey(first.key), days: [...days] };
};

/** A stretch of charge periods by their beginning, epoch milliseconds; `to` is excluded. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Whether any line of a run begins in a stretch. */
export const overlapsRange = ({ days }: Pick<SortedRun, 'days'>, { from, to }: TimeRange): boolean =>
  days.some(([day]) => day + LENGTH.day > from && day < to);

const NEWLINE = 0x0a;
/** Read at once of each run that is open. */
const BLOCK_BYTES = 512 * 1_024;

/** The lines of a run that begin in a stretch, some at a time. `read` gives part of its text, both ends included. */
export async function* readRun(
  { bytes }: Pick<SortedRun, 'bytes'>,
  { from, to }: TimeRange,
  read: (from: number, to: number) => Promise<Uint8Array>,
): AsyncGenerator<readonly Line[]> {
  let rest: Uint8Array = new Uint8Array();
  for (let at = 0; at < bytes; at += BLOCK_BYTES) {
    const block = Buffer.concat([rest, await read(at, Math.min(at + BLOCK_BYTES, bytes) - 1)]);
    const end = block.lastIndexOf(NEWLINE) + 1;
    rest = block.subarray(end);
    const lines = decodeLines(block.subarray(0, end).toString('utf8'));
    yield lines.filter(({ key }) => key.start >= from && key.start < to);
    const last = lines.at(-1);
    if (last !== undefined && last.key.start >= to) return;
  }
}
