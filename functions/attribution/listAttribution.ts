import { type AttributionQuery, listAttribution } from '../../schemas/routes/attribution.ts';
import { operation } from '../http/operation.ts';
import { page } from '../http/paging.ts';
import { type Period, walk } from './walk.ts';

/** Beyond any time a ULID of ours can hold. */
const END_OF_TIME = Date.parse('9999-01-01T00:00:00Z');

/** The stretch of time the filters leave; several filters narrow it together. */
export const periodOf = (query: AttributionQuery): Period => {
  const at = (text: string | undefined): number[] => (text === undefined ? [] : [Date.parse(text)]);
  const equal = [...at(query.occurred_at), ...at(query['occurred_at[eq]'])];
  const from = [
    0,
    ...equal,
    ...at(query['occurred_at[gte]']),
    ...at(query['occurred_at[gt]']).map((ms) => ms + 1),
  ];
  const to = [
    END_OF_TIME,
    ...equal.map((ms) => ms + 1),
    ...at(query['occurred_at[lt]']),
    ...at(query['occurred_at[lte]']).map((ms) => ms + 1),
  ];
  return { from: Math.max(...from), to: Math.min(...to) };
};

export default operation(listAttribution, ({ query, caller, receivedAt, stores }) => {
  const period = periodOf(query);
  return page({
    route: listAttribution,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: async ({ after, asOf }, limit) => {
      if (period.from >= period.to) return { items: [], resume: null };
      const { tenant, residency } = caller;
      const descending = query.sort !== 'occurred_at';
      const { items, resume } = await walk(stores.ledger, {
        tenant,
        residency,
        period,
        descending,
        after,
        asOf,
        limit,
      });
      return { items: items.map(({ attribution }) => attribution.record), resume };
    },
  });
});
