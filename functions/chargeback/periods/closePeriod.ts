import { Period, type StoredClosing } from '../../../schemas/chargeback/periods.ts';
import { closePeriod } from '../../../schemas/routes/chargeback/periods.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { type Closings, closingOf } from '../../insight/periods/closings.ts';
import { periodWith } from '../../insight/periods/periodStatus.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { periodIn, requireClosable, retainedClosings } from './period.ts';

export default operation(closePeriod, async (call) => {
  const { caller, claim, parameters, receivedAt, stores } = call;
  const { tenant } = caller;
  const { tenant_id: tenantId } = tenant;
  const month = periodIn(parameters, receivedAt);
  const { result } = await changeOnce(call, Period, async () => {
    const found = await stores.closingStore.find(tenantId);
    const closings = found?.document.closings ?? [];
    // Recorded with the close: somebody can open the period again before the call is repeated.
    const resultWith = (all: Closings) => periodWith(all, stores, tenantId)(month);
    if (closingOf(closings, month) !== undefined)
      return { writes: [], result: await resultWith(closings), resource: null };
    requireClosable(closings, month, receivedAt);
    // Loaded with the first close: the function starts for reads without it.
    const { takeBooks } = await import('./takeBooks.ts');
    const { asOf, books } = await takeBooks(
      { ...stores, ...(await stores.bookWriters()) },
      tenantId,
      month,
      closings,
      receivedAt,
    );
    const closing: StoredClosing = {
      month,
      as_of: toIso(asOf),
      closed_at: toIso(receivedAt),
      closed_by: caller.principal,
      books: [...books],
    };
    const { as_of, closed_at, closed_by: by } = closing;
    const next = [...retainedClosings(closings, receivedAt), closing];
    const event = createEvent(
      'period.closed',
      { period: month, by, closed_at, as_of },
      { ulid: deterministicUlid('period.closed', claim.claim, receivedAt), at: receivedAt, tenant },
    );
    return {
      writes: [
        stores.closingStore.put(tenantId, next, { expectedRevision: found?.revision ?? null, by: claim }),
        stores.outbox.raise(event),
      ],
      result: await resultWith(next),
      resource: month,
      before: { state: 'open' },
      after: { state: 'closed', as_of },
    };
  });
  return reply(200, result);
});
