import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import { getUsageReport } from '../../../sdk/typescript/src/operations.ts';
import type { UsageReport } from '../../../sdk/typescript/src/types.ts';
import { type Dimension, isTagDimension, keyOfTag, servedDimensions } from '../charts/usage.ts';
import { PAGE_ROWS, wholeReport } from './wholeReport.ts';

interface UsageQuery {
  readonly from: number;
  readonly to: number;
  readonly groupBy: readonly Dimension[];
  readonly interval?: 'hour' | 'day' | 'month';
  readonly top?: number;
  /** Adds the sums of the period before, or of this one. */
  readonly compare?: boolean;
  readonly previous?: { readonly from: number; readonly to: number } | null;
  /** The values that calls must have. The service leaves out calls whose value it must not show. */
  readonly filters?: ReadonlyMap<Dimension, string>;
}

/** The query parameters of filters. All tags are one parameter. */
export const filterParameters = (
  filters: ReadonlyMap<Dimension, string>,
): Readonly<Record<string, string>> => {
  const tags = [...filters].flatMap(([dimension, value]) =>
    isTagDimension(dimension) ? [`${keyOfTag(dimension)}:${value}`] : [],
  );
  return {
    ...Object.fromEntries([...filters].filter(([dimension]) => !isTagDimension(dimension))),
    ...(tags.length > 0 && { tags: tags.join() }),
  };
};

export const previousParameters = (previous: UsageQuery['previous']) =>
  previous != null && {
    previous_from: new Date(previous.from).toISOString(),
    previous_to: new Date(previous.to).toISOString(),
  };

/** The whole report: all pages of its rows. */
export const readUsage = (
  client: Client,
  { from, to, groupBy, interval, top, compare = false, previous = null, filters = new Map() }: UsageQuery,
  options: CallOptions,
): Promise<UsageReport> =>
  wholeReport(
    getUsageReport(
      client,
      {
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        limit: PAGE_ROWS,
        ...(groupBy.length > 0 && { group_by: servedDimensions(groupBy).join() }),
        ...(interval !== undefined && { interval }),
        ...(top !== undefined && { top }),
        ...(compare && { compare: 'previous_period' as const }),
        ...previousParameters(previous),
        ...filterParameters(filters),
      },
      options,
    ),
  );
