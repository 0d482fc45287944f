import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { RollupQueue } from './queue.aws.ts';

/** Has the budgets of a tenant evaluated, although no record has changed. `now` is epoch milliseconds. */
export type RequestEvaluation = (tenantId: string, now: number) => Promise<void>;

/** A minute that is summed again is a change of totals like any other: who follows it evaluates. */
export const evaluationRequester =
  (queue: Pick<RollupQueue, 'send'>): RequestEvaluation =>
  (tenantId, now) =>
    queue.send({ tenant_id: tenantId, minutes: [Math.floor(now / MINUTE_MS)], marks: [] }, 0);
