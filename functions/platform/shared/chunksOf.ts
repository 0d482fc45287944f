/** Splits items, in order, into chunks of at most `length`. */
export const chunksOf = <Item>(items: readonly Item[], length: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, chunk) =>
    items.slice(chunk * length, (chunk + 1) * length),
  );
