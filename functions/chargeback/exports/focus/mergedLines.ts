import { addAmounts, type Line, type LineKey, lineSortKey } from './line.ts';

interface MergedLine {
  readonly key: LineKey;
  amounts: Line['amounts'];
}

/**
 * Merges lines with equal keys as they are added. Lines of one key have the same unit price, so the summed quantity times
 * the price still equals the summed cost. The result does not depend on the order of the input.
 */
export class MergedLines {
  readonly #merged = new Map<string, MergedLine>();

  add({ key, amounts }: Line): void {
    const text = lineSortKey(key);
    const existing = this.#merged.get(text);
    if (existing === undefined) this.#merged.set(text, { key, amounts });
    else existing.amounts = addAmounts(existing.amounts, amounts);
  }

  /** Number of merged lines, which determines memory use. */
  get size(): number {
    return this.#merged.size;
  }

  /** All lines sorted by key, which starts with the charge period. */
  sorted(): readonly Line[] {
    return [...this.#merged]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { key, amounts }]) => ({ key, amounts }));
  }
}
