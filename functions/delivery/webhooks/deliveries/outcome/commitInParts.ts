import { ThrottledError } from '../../../../platform/shared/retry/throttledError.ts';

interface PartCommitter<Item> {
  /** The most items of one transaction. */
  readonly maximum: number;
  /** Commits several items in one transaction. Returns false on a conflict with another writer. */
  readonly together: (items: readonly [Item, ...Item[]]) => Promise<boolean>;
  readonly alone: (item: Item) => Promise<void>;
}

/**
 * Commits items in as few transactions as possible, one after the other. Items that conflict with another writer are
 * committed alone, and the halves of a transaction for which the tables have no capacity follow. Tries all items, and throws
 * the first error afterwards.
 */
export const commitInParts = async <Item>(
  items: readonly Item[],
  { maximum, together, alone }: PartCommitter<Item>,
): Promise<void> => {
  const failures: unknown[] = [];

  const commitAlone = async (part: readonly Item[]): Promise<void> => {
    for (const item of part) await alone(item).catch((error: unknown) => failures.push(error));
  };
  const commitPart = async (part: readonly Item[]): Promise<void> => {
    const [first, ...others] = part;
    if (first === undefined || others.length === 0) return commitAlone(part);
    try {
      if (!(await together([first, ...others]))) await commitAlone(part);
    } catch (error) {
      if (!(error instanceof ThrottledError)) {
        failures.push(error);
        return;
      }
      const middle = Math.ceil(part.length / 2);
      await commitPart(part.slice(0, middle));
      await commitPart(part.slice(middle));
    }
  };

  for (let at = 0; at < items.length; at += maximum) await commitPart(items.slice(at, at + maximum));
  if (failures.length > 0) throw failures[0];
};
