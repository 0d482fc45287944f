/** The items of one batch: at least one. */
export type NonEmptyBatch<Item> = readonly [Item, ...Item[]];

interface InFlightBatch<Item, Result> {
  /** Null once the run has started: later items go to the next batch. */
  pendingItems: Item[] | null;
  readonly done: Promise<Result>;
}

/**
 * Batches concurrent calls per key, with one run per key at a time. A call that arrives during a run waits for the next
 * run and shares it with all other waiting calls. A run always starts after all of its calls, so a shared read sees
 * what each caller wrote before. If a run throws, all of its calls reject.
 */
export const singleFlightBatch = <Item, Result>(run: (items: NonEmptyBatch<Item>) => Promise<Result>) => {
  const latest = new Map<string, InFlightBatch<Item, Result>>();
  return (key: string, item: Item): Promise<Result> => {
    const previous = latest.get(key);
    if (previous?.pendingItems) {
      previous.pendingItems.push(item);
      return previous.done;
    }
    const others: Item[] = [];
    const start = async (): Promise<Result> => {
      await previous?.done.catch(() => undefined);
      batch.pendingItems = null;
      return run([item, ...others]);
    };
    const batch: InFlightBatch<Item, Result> = {
      pendingItems: others,
      done: start().finally(() => {
        if (latest.get(key) === batch) latest.delete(key);
      }),
    };
    latest.set(key, batch);
    return batch.done;
  };
};
