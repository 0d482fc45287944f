import { markNotificationsRead } from '../../../schemas/routes/delivery/notifications.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { effectOnce } from '../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ReadMark } from './readMark.store.ts';

export default operation(markNotificationsRead, async ({ body, caller, receivedAt, claim, stores }) => {
  const { tenant, principal } = caller;
  // The members of a mark compare as text: both times are in UTC with milliseconds.
  const until = toIso(Math.min(Date.parse(body.until), receivedAt));
  const { result } = await effectOnce(claim, ReadMark, async () => {
    const current = await stores.readMarks.current(tenant.tenant_id, principal);
    if (current !== null && current.document.until >= until) return { writes: [], result: current.document };
    const revisions = { expected: current?.revision ?? null, by: claim };
    const write = stores.readMarks.put(tenant.tenant_id, principal, { until }, revisions);
    return { writes: [write], result: { until } };
  });
  return reply(200, result);
});
