import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import { getChangesReport } from '../../../sdk/typescript/src/operations.ts';
import type { ChangesReport } from '../../../sdk/typescript/src/types.ts';
import type { Dimension } from '../charts/usage.ts';
import { filterParameters, previousParameters } from './usageReport.ts';

interface ChangesQuery {
  readonly from: number;
  readonly to: number;
  /** The period to compare with. Null: the one before. */
  readonly previous: { readonly from: number; readonly to: number } | null;
  readonly groupBy: readonly Dimension[];
  readonly filters: ReadonlyMap<Dimension, string>;
  /** Only so many groups, those with the largest change. */
  readonly limit: number;
}

/** The change of the cost since an earlier period, with the groups that changed most. */
export const readChanges = async (
  client: Client,
  { from, to, previous, groupBy, filters, limit }: ChangesQuery,
  options: CallOptions,
): Promise<ChangesReport> =>
  await getChangesReport(
    client,
    {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      ...previousParameters(previous),
      limit,
      ...(groupBy.length > 0 && { group_by: groupBy.join() }),
      ...filterParameters(filters),
    },
    options,
  );
