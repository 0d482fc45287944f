/** What was asked together: at least one. */
export type Together<Item> = readonly [Item, ...Item[]];

interface Turn<Item, Result> {
  /** Null once the run has begun. */
  gathering: Item[] | null;
  readonly done: Promise<Result>;
}

/**
 * Runs what is asked for one key at the same time together: whoever asks while a run of that key goes on waits for it,
 * and shares the next with all who came meanwhile. So a run always begins after everybody it answers has asked, and a
 * read that is shared sees what each of them wrote before. A run that throws throws for all of them.
 */
export const coalesced = <Item, Result>(run: (items: Together<Item>) => Promise<Result>) => {
  const latest = new Map<string, Turn<Item, Result>>();
  return (key: string, item: Item): Promise<Result> => {
    const before = latest.get(key);
    if (before?.gathering) {
      before.gathering.push(item);
      return before.done;
    }
    const others: Item[] = [];
    const begin = async (): Promise<Result> => {
      await before?.done.catch(() => undefined);
      turn.gathering = null;
      return run([item, ...others]);
    };
    const turn: Turn<Item, Result> = {
      gathering: others,
      done: begin().finally(() => {
        if (latest.get(key) === turn) latest.delete(key);
      }),
    };
    latest.set(key, turn);
    return turn.done;
  };
};
