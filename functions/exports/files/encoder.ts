import type { Row } from '../focus/cells.ts';

/** Writes rows of one file as bytes, in order: the head, then rows as often as there are some, then the tail. */
export interface Encoder {
  head(): Uint8Array;
  /** A few thousand rows at a time serve every format. */
  rows(rows: readonly Row[]): Uint8Array;
  tail(): Uint8Array;
}
