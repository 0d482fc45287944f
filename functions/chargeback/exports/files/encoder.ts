import type { Row } from '../focus/cells.ts';

/** Encodes one file. Call `head` once, `rows` any number of times, then `tail` once. */
export interface Encoder {
  head(): Uint8Array;
  /** Encodes a batch. Batches of a few thousand rows suit every format. */
  rows(rows: readonly Row[]): Uint8Array;
  tail(): Uint8Array;
}
