import * as z from 'zod';
import { StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Line } from '../focus/line.ts';

/** JSON form of the groups in work documents. */
export const StoredFoldedGroups = z.object({ groups: z.array(z.string()), cost: StoredFixedPoint });

/** The groups that suppression merges into a larger one, and their cost in units of 1e-12 USD. */
export class FoldedGroups {
  readonly #groups = new Set<string>();
  #cost = 0n;

  /** Counts a line, if it has lost labels. `group` identifies its group within the month. */
  add(group: string, { key, amounts }: Pick<Line, 'key' | 'amounts'>): void {
    if (key.rollup === null) return;
    this.#groups.add(group);
    this.#cost += amounts.cost;
  }

  merge({ groups, cost }: { readonly groups: readonly string[]; readonly cost: bigint }): void {
    for (const group of groups) this.#groups.add(group);
    this.#cost += cost;
  }

  get folded(): z.infer<typeof StoredFoldedGroups> {
    return { groups: [...this.#groups].sort(), cost: this.#cost };
  }
}
