/** The limits of one chunk: a number of items, and the sum of their sizes. */
export interface ChunkLimits {
  readonly items: number;
  readonly size: number;
}

/**
 * Splits items, in order, into chunks within the limits. An item that is larger than the limit is a chunk of its own.
 * `sizeOf` returns the size of an item, in the unit of the limit.
 */
export const chunksWithin = <Item>(
  items: readonly Item[],
  limits: ChunkLimits,
  sizeOf: (item: Item) => number,
): [Item, ...Item[]][] => {
  const chunks: [Item, ...Item[]][] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    const last = chunks.at(-1);
    if (last === undefined || last.length >= limits.items || size + own > limits.size) {
      chunks.push([item]);
      size = own;
    } else {
      last.push(item);
      size += own;
    }
  }
  return chunks;
};
