import type { Interval } from '../../../platform/shared/time/interval.ts';
import { ceilToHour, startOf } from '../grain.ts';
import type { RollupQueue } from '../marks/queue.aws.ts';

/** Requests the comparison of a tenant's rollups with the ledger. Epoch milliseconds, `to` excluded. */
export type RequestTotalsCheck = (tenantId: string, period: Interval) => Promise<void>;

export const totalsCheckRequester =
  (queue: Pick<RollupQueue, 'send'>): RequestTotalsCheck =>
  (tenantId, { from, to }) =>
    queue.send(
      { tenant_id: tenantId, check: { from: startOf('hour', from), to: ceilToHour(to), isRepeated: false } },
      0,
    );
