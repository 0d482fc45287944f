/** What was asked together: at least one. */
export type NonEmptyBatch<Item> = readonly [Item, ...Item[]];

interface InFlightBatch<Item, Result> {
  /** Null once the run has begun. */
  pendingItems: Item[] | null;
  readonly done: Promise<Result>;
}

/**
 * Runs what is asked for one key at the same time together: whoever asks while a run of that key goes on waits for it,
 * and shares the next with all who came meanwhile. So a run always begins after everybody it answers has asked, and a
 * read that is shared sees what each of them wrote before. A run that throws throws for all of them.
 */
export const singleFlightBatch = <Item, Result>(run: (items: NonEmptyBatch<Item>) => Promise<Result>) => {
  const latest = new Map<string, InFlightBatch<Item, Result>>();
  return (key: string, item: Item): Promise<Result> => {
    const before = latest.get(key);
    if (before?.pendingItems) {
      before.pendingItems.push(item);
      return before.done;
    }
    const others: Item[] = [];
    const begin = async (): Promise<Result> => {
      await before?.done.catch(() => undefined);
      turn.pendingItems = null;
      return run([item, ...others]);
    };
    const turn: InFlightBatch<Item, Result> = {
      pendingItems: others,
      done: begin().finally(() => {
        if (latest.get(key) === turn) latest.delete(key);
      }),
    };
    latest.set(key, turn);
    return turn.done;
  };
};
