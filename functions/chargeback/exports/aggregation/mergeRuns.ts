import { addAmounts, type Line, lineSortKey } from '../focus/line.ts';

/** A sorted run of lines, read in batches. `first` is the sort key of its first line. */
export interface RunSource {
  readonly first: string;
  readonly lines: () => AsyncIterator<readonly Line[]>;
}

interface Reader {
  readonly text: () => string | undefined;
  readonly line: () => Line | undefined;
  readonly advance: () => Promise<void> | undefined;
}

/** Opens a source with a lookahead of one line. `text` and `line` are undefined at its end. */
const readerOf = async ({ lines }: RunSource): Promise<Reader> => {
  const batches = lines();
  let batch: readonly Line[] = [];
  let index = 0;
  let text: string | undefined;
  const updateText = (): void => {
    const line = batch[index];
    text = line === undefined ? undefined : lineSortKey(line.key);
  };
  const fill = async (): Promise<void> => {
    do {
      const next = await batches.next();
      [batch, index] = [next.done === true ? [] : next.value, 0];
      if (next.done === true) break;
    } while (batch.length === 0);
    updateText();
  };
  await fill();
  return {
    text: () => text,
    line: () => batch[index],
    // Returns a promise only at the end of a batch, so most lines need no await.
    advance: () => {
      index += 1;
      if (index >= batch.length) return fill();
      updateText();
      return undefined;
    },
  };
};

const BATCH_LINES = 1_000;

/**
 * K-way merge of sorted runs. Lines with equal keys become one line. A source is opened when the merge reaches its first
 * line, so consecutive sources are open one at a time.
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
    if (batch.length < BATCH_LINES) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
