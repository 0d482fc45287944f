import { addAmounts, type Line, type LineKey, lineSortKey } from './line.ts';

interface MergedLine {
  readonly key: LineKey;
  amounts: Line['amounts'];
}

/**
 * Lines that are alike become one as they come in. Quantities at one price add up, so quantity times price stays the
 * cost, exactly; and sums do not depend on the order, so neither does what comes out.
 */
export class MergedLines {
  readonly #merged = new Map<string, MergedLine>();

  add({ key, amounts }: Line): void {
    const text = lineSortKey(key);
    const known = this.#merged.get(text);
    if (known === undefined) this.#merged.set(text, { key, amounts });
    else known.amounts = addAmounts(known.amounts, amounts);
  }

  /** Lines that are left after merging: what memory goes by. */
  get size(): number {
    return this.#merged.size;
  }

  /** All lines, by charge period first, in an order that follows from them alone. */
  sorted(): readonly Line[] {
    return [...this.#merged]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { key, amounts }]) => ({ key, amounts }));
  }
}
