import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { type Line, lineSortKey, StoredLine } from '../focus/line.ts';

/** A sorted run: lines sorted by key and stored as JSON Lines, written when memory is full. */
export const SortedRun = z.object({
  key: z.string(),
  bytes: z.int(),
  /** Sort key of the first line. */
  first: z.string(),
  /** Pairs of day (epoch milliseconds) and number of lines that start on it, ascending. */
  days: z.array(z.tuple([z.int(), z.int()])),
});
export type SortedRun = z.infer<typeof SortedRun>;

/** Encodes lines as JSON Lines. */
export const encodeLines = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(StoredLine.encode(line))}\n`).join('');

/** Decodes JSON Lines. Throws a ZodError or a SyntaxError on other input. */
export const decodeLines = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => StoredLine.decode(JSON.parse(line)));

/** Describes a stored run. `lines` are sorted. Throws a RangeError when there are none. */
export const describeRun = (key: string, text: string, lines: readonly Line[]): SortedRun => {
  const days = new Map<number, number>();
  for (const { key: line } of lines) {
    const day = startOf('day', line.start);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const [first] = lines;
  if (first === undefined) throw new RangeError('A sorted run must have at least one line.');
  return { key, bytes: Buffer.byteLength(text), first: lineSortKey(first.key), days: [...days] };
};

/** Whether any line of a run may start in a range, by whole days. */
export const overlapsRange = ({ days }: Pick<SortedRun, 'days'>, { from, to }: Interval): boolean =>
  days.some(([day]) => day + DAY_MS > from && day < to);

const NEWLINE = 0x0a;
/** Size of each ranged read from an open run. */
const BLOCK_BYTES = 512 * 1_024;

/** Yields the lines of a run that start in a range, in batches. `read` returns bytes of the run, both ends included. */
export async function* readRun(
  { bytes }: Pick<SortedRun, 'bytes'>,
  { from, to }: Interval,
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
