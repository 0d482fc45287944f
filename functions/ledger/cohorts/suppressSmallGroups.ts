import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import { type Cell, countPersonsUpToMinimum } from './cell.ts';

export interface SuppressionResult {
  /** Groups that are shown, each with enough persons. */
  readonly named: readonly (readonly [value: string | null, cells: readonly Cell[]])[];
  /** All other cells as one group. Empty, or with enough persons. */
  readonly rest: readonly Cell[];
}

const invocationsIn = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { invocations }) => sum + invocations, 0);

/** Whether the cells together have enough persons to be shown as one group. */
const isEnough = (cells: readonly Cell[]): boolean => countPersonsUpToMinimum(cells) >= COHORT_MINIMUM;

/**
 * Splits cells by a label. Merged into `rest` are groups with too few persons, groups whose name must not be shown, and
 * cells without the label (undefined). While `rest` itself has too few persons, the next smallest group is added, so that
 * subtraction from the total cannot recover it.
 */
export const suppressSmallGroups = (
  cells: readonly Cell[],
  labelOf: (cell: Cell) => string | null | undefined,
  isNameable: (value: string | null) => boolean = () => true,
): SuppressionResult => {
  const groups = [...Map.groupBy(cells, labelOf)].map(([value, groupCells]) => ({
    value,
    groupCells,
    isShown: value !== undefined && isNameable(value) && isEnough(groupCells),
    invocations: invocationsIn(groupCells),
  }));
  let rest = groups.filter(({ isShown }) => !isShown).flatMap(({ groupCells }) => groupCells);
  // Largest first, so that `pop` takes the smallest. Ties are broken by name.
  const named = groups
    .filter(({ isShown }) => isShown)
    .sort(
      (one, other) =>
        other.invocations - one.invocations || ((one.value ?? '') < (other.value ?? '') ? -1 : 1),
    );
  while (rest.length > 0 && !isEnough(rest)) {
    const smallest = named.pop();
    if (smallest === undefined) break;
    rest = rest.concat(smallest.groupCells);
  }
  return {
    named: named.flatMap(({ value, groupCells }) =>
      value === undefined ? [] : [[value, groupCells] as const],
    ),
    rest,
  };
};
