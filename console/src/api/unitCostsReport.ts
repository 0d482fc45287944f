import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import { getUnitCostsReport } from '../../../sdk/typescript/src/operations.ts';
import type { UnitCostsReport } from '../../../sdk/typescript/src/types.ts';
import type { Dimension } from '../charts/usage.ts';
import { filterParameters } from './usageReport.ts';
import { PAGE_ROWS, wholeReport } from './wholeReport.ts';

interface UnitCostsQuery {
  readonly from: number;
  readonly to: number;
  readonly groupBy: readonly Dimension[];
  readonly filters: ReadonlyMap<Dimension, string>;
}

/** What a call, a person and a token of each kind cost in a period, with all groups. */
export const readUnitCosts = (
  client: Client,
  { from, to, groupBy, filters }: UnitCostsQuery,
  options: CallOptions,
): Promise<UnitCostsReport> =>
  wholeReport(
    getUnitCostsReport(
      client,
      {
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        limit: PAGE_ROWS,
        ...(groupBy.length > 0 && { group_by: groupBy.join() }),
        ...filterParameters(filters),
      },
      options,
    ),
  );
