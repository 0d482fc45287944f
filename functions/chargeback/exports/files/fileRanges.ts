/** Limits of one file; `bytes` before compression. */
export interface Limits {
  readonly rows: number;
  readonly bytes?: number;
}

/** Rows that one file holds: from one position to another, which is excluded. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/** Rows that are never divided, so that the sizes of all batches fit into memory. */
export const BATCH_ROWS = 500;

/**
 * Divides rows into files within the limits: each holds as many batches as possible, and at least one of any size. Without
 * rows there is one file. `bytes` are the sizes of the batches, and `header` that of each file's header.
 */
export const fileRanges = (
  rows: number,
  { rows: maxRows, bytes: maxBytes = Number.POSITIVE_INFINITY }: Limits,
  { header, bytes }: { readonly header: number; readonly bytes: readonly number[] },
): readonly FileRange[] => {
  const ranges: { from: number; to: number }[] = [{ from: 0, to: 0 }];
  let size = header;
  for (let from = 0, batch = 0; from < rows; from += BATCH_ROWS, batch += 1) {
    const to = Math.min(from + BATCH_ROWS, rows);
    const added = bytes[batch] ?? 0;
    const open = ranges.at(-1);
    const isFull = open === undefined || to - open.from > maxRows || size + added > maxBytes;
    if (open !== undefined && (open.to === open.from || !isFull)) open.to = to;
    else {
      ranges.push({ from, to });
      size = header;
    }
    size += added;
  }
  return ranges;
};
