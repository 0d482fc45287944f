import { Period } from '../../../schemas/chargeback/periods.ts';
import { reopenPeriod } from '../../../schemas/routes/chargeback/periods.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { periodWith } from '../../insight/periods/periodStatus.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { NO_REVISION } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { periodIn, requireReopenable } from './period.ts';

export default operation(reopenPeriod, async (call) => {
  const { body, caller, claim, parameters, receivedAt, stores } = call;
  const { tenant, principal: by } = caller;
  const { tenant_id: tenantId } = tenant;
  const { reason } = body;
  const month = periodIn(parameters, receivedAt);
  const { result } = await changeOnce(call, Period, async () => {
    const found = await stores.closingStore.find(tenantId);
    const closings = found?.document.closings ?? [];
    requireReopenable(closings, month);
    const next = closings.slice(0, -1);
    const event = createEvent(
      'period.reopened',
      { period: month, by, reopened_at: toIso(receivedAt), reason },
      { ulid: deterministicUlid('period.reopened', claim.claim, receivedAt), at: receivedAt, tenant },
    );
    return {
      writes: [
        stores.closingStore.put(tenantId, next, {
          expectedRevision: found?.revision ?? NO_REVISION,
          by: claim,
        }),
        stores.outbox.raise(event),
      ],
      result: await periodWith(next, stores, tenantId)(month),
      resource: month,
      before: { state: 'closed', as_of: closings.at(-1)?.as_of },
      after: { state: 'open', reason },
    };
  });
  return reply(200, result);
});
