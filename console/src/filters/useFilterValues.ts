import { magnitude, sum } from '../../../sdk/shared/decimal.ts';
import type { UsageRow } from '../../../sdk/typescript/src/types.ts';
import { readUsage } from '../api/usageReport.ts';
import { useRead } from '../api/useRead.ts';
import { type Dimension, groupOf, nameOfValue } from '../charts/usage.ts';
import type { FilterValue } from './filterFields.ts';

/** A report groups by at most as many. */
const DIMENSIONS_MAXIMUM = 4;

const valuesOf = (rows: readonly UsageRow[], dimension: Dimension): readonly FilterValue[] =>
  [...Map.groupBy(rows, (row) => groupOf(row, [dimension]).values[0] ?? null)]
    .flatMap(([value, own]) =>
      value === null
        ? []
        : [
            {
              value,
              text: nameOfValue(dimension, value),
              cost: magnitude(sum(own.map((row) => row.cost_usd))),
            },
          ],
    )
    .toSorted((one, other) => other.cost - one.cost)
    .map(({ value, text }) => ({ value, text }));

/**
 * The names of these dimensions that the report of a period shows, those with the highest cost first. None before `isNeeded`:
 * most people look without filtering.
 */
export const useFilterValues = (
  { from, to }: { readonly from: number; readonly to: number },
  dimensions: readonly Dimension[],
  isNeeded: boolean,
): ReadonlyMap<Dimension, readonly FilterValue[]> => {
  const values = useRead(
    ['usage', 'names', from, to, dimensions.join()],
    async (client, options) => {
      const found = new Map<Dimension, readonly FilterValue[]>();
      for (let first = 0; first < dimensions.length; first += DIMENSIONS_MAXIMUM) {
        const groupBy = dimensions.slice(first, first + DIMENSIONS_MAXIMUM);
        const { data } = await readUsage(client, { from, to, groupBy }, options);
        for (const dimension of groupBy) found.set(dimension, valuesOf(data, dimension));
      }
      return found;
    },
    { enabled: isNeeded },
  );
  return values.data ?? new Map();
};
