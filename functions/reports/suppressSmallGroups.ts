import { COHORT_MINIMUM } from '../../schemas/reports.ts';
import { type Cell, countPersonsUpToMinimum } from './cell.ts';

export interface SuppressionResult {
  /** Groups that stand by themselves, each of enough persons. */
  readonly named: readonly (readonly [value: string | null, cells: readonly Cell[]])[];
  /** All others in one: none, or of enough persons too. */
  readonly rest: readonly Cell[];
}

const invocationsIn = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { invocations }) => sum + invocations, 0);

/** Enough persons to be shown together, none of whom is told from the others. */
const isEnough = (cells: readonly Cell[]): boolean => countPersonsUpToMinimum(cells) >= COHORT_MINIMUM;

/**
 * Parts cells of enough persons by a label. Groups of too few, and groups whose name may not be shown, become one; while
 * that is itself of too few, the next smallest group joins them, so that a subtraction never gives one away.
 */
export const suppressSmallGroups = (
  cells: readonly Cell[],
  labelOf: (cell: Cell) => string | null,
  isNameable: (value: string | null) => boolean = () => true,
): SuppressionResult => {
  const groups = [...Map.groupBy(cells, labelOf)].map(([value, inside]) => ({
    value,
    inside,
    stands: isNameable(value) && isEnough(inside),
    invocations: invocationsIn(inside),
  }));
  let rest = groups.filter(({ stands }) => !stands).flatMap(({ inside }) => inside);
  // Largest first, so that the smallest is taken from the end; names decide between equals.
  const named = groups
    .filter(({ stands }) => stands)
    .sort(
      (one, other) =>
        other.invocations - one.invocations || ((one.value ?? '') < (other.value ?? '') ? -1 : 1),
    );
  while (rest.length > 0 && !isEnough(rest)) {
    const smallest = named.pop();
    if (smallest === undefined) break;
    rest = rest.concat(smallest.inside);
  }
  return { named: named.map(({ value, inside }) => [value, inside] as const), rest };
};
