import { PAGE_SIZE_DEFAULT } from '../../schemas/page.ts';
import { type AttributionQuery, listAttribution } from '../../schemas/routes/attribution.ts';
import { readCursor, type Walk, writeCursor } from '../http/cursor.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
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

export default operation(listAttribution, async ({ query, caller, receivedAt, stores }) => {
  const { tenant, principal } = caller;
  const { cursor, limit = PAGE_SIZE_DEFAULT, ...selection } = query;
  const walkId: Walk = {
    tenant: tenant.tag,
    principal,
    operation: listAttribution.operation,
    selection: JSON.stringify(Object.entries(selection).sort()),
  };
  const key = await stores.cursorKey();
  const position = cursor === undefined ? null : readCursor(cursor, walkId, receivedAt, key);
  const asOf = position?.asOf ?? receivedAt;
  const period = periodOf(query);
  const versions =
    period.from >= period.to
      ? []
      : await walk(stores.ledger, {
          tenant,
          period,
          descending: query.sort !== 'occurred_at',
          after: position?.after,
          asOf,
          limit: limit + 1,
        });
  const page = versions.slice(0, limit);
  const last = page.at(-1);
  const hasMore = versions.length > limit && last !== undefined;
  return reply(200, {
    data: page.map((version) => version.attribution.record),
    page: {
      next_cursor: hasMore ? writeCursor(walkId, { after: last.key, asOf }, receivedAt, key) : null,
      limit,
      has_more: hasMore,
    },
  });
});
