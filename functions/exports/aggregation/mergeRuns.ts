import { addAmounts, type Line, lineSortKey } from '../focus/line.ts';

/** Lines in order, some at a time, none of which lies before `first` (a key as text). */
export interface RunSource {
  readonly first: string;
  readonly lines: () => AsyncIterator<readonly Line[]>;
}

interface Reader {
  readonly text: () => string | undefined;
  readonly line: () => Line | undefined;
  readonly advance: () => Promise<void> | undefined;
}

/** One source, its next line at hand; undefined at its end. */
const readerOf = async ({ lines }: RunSource): Promise<Reader> => {
  const batches = lines();
  let batch: readonly Line[] = [];
  let index = 0;
  let text: string | undefined;
  const look = (): void => {
    const line = batch[index];
    text = line === undefined ? undefined : lineSortKey(line.key);
  };
  const fill = async (): Promise<void> => {
    do {
      const next = await batches.next();
      [batch, index] = [next.done === true ? [] : next.value, 0];
      if (next.done === true) break;
    } while (batch.length === 0);
    look();
  };
  await fill();
  return {
    text: () => text,
    line: () => batch[index],
    // Waits only where a batch ends: most lines are at hand.
    advance: () => {
      index += 1;
      if (index >= batch.length) return fill();
      look();
      return undefined;
    },
  };
};

const BATCH = 1_000;

/**
 * Merges sources into one order, lines that are alike into one. A source is opened where the merge reaches its first
 * line, so that of sources that follow each other one is open at a time.
 */
export async function* mergeRuns(sources: readonly RunSource[]): AsyncGenerator<readonly Line[]> {
  const waiting = sources.toSorted((one, other) => (one.first < other.first ? -1 : 1));
  let open: Reader[] = [];
  let batch: Line[] = [];
  for (;;) {
    let least: { readonly reader: Reader; readonly text: string } | undefined;
    for (const reader of open) {
      const text = reader.text();
      if (text !== undefined && (least === undefined || text < least.text)) least = { reader, text };
    }
    const [next] = waiting;
    if (next !== undefined && (least === undefined || next.first <= least.text)) {
      waiting.shift();
      open.push(await readerOf(next));
      continue;
    }
    if (least === undefined) break;
    let merged: Line | undefined;
    let hasEnded = false;
    for (const reader of open) {
      if (reader.text() !== least.text) continue;
      const line = reader.line();
      if (line !== undefined) {
        merged =
          merged === undefined
            ? line
            : { key: merged.key, amounts: addAmounts(merged.amounts, line.amounts) };
      }
      await reader.advance();
      hasEnded ||= reader.text() === undefined;
    }
    if (hasEnded) open = open.filter((reader) => reader.text() !== undefined);
    if (merged !== undefined) batch.push(merged);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
