import * as z from 'zod';
import { reopenPeriod } from '../../../schemas/routes/chargeback/periods.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { readPeriods } from '../../insight/periods/periodStatus.ts';
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
  await changeOnce(call, z.null(), async () => {
    const found = await stores.closingStore.find(tenantId);
    const closings = found?.document.closings ?? [];
    requireReopenable(closings, month);
    const event = createEvent(
      'period.reopened',
      { period: month, by, reopened_at: toIso(receivedAt), reason },
      { ulid: deterministicUlid('period.reopened', claim.claim, receivedAt), at: receivedAt, tenant },
    );
    return {
      writes: [
        stores.closingStore.put(tenantId, closings.slice(0, -1), {
          expectedRevision: found?.revision ?? NO_REVISION,
          by: claim,
        }),
        stores.outbox.raise(event),
      ],
      result: null,
      resource: month,
      before: { state: 'closed', as_of: closings.at(-1)?.as_of },
      after: { state: 'open', reason },
    };
  });
  const [period] = await readPeriods(stores, tenantId, [month]);
  return reply(200, period);
});
