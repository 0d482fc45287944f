import { markNotificationsRead } from '../../../schemas/routes/delivery/notifications.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/** Optimistic lock: the writers of one mark are the windows of one person. */
const MAX_ATTEMPTS = 12;

export default operation(markNotificationsRead, async ({ body, caller, receivedAt, claim, stores }) => {
  const { tenant, principal } = caller;
  // The members of a mark compare as text: both times are in UTC with milliseconds.
  const until = toIso(Math.min(Date.parse(body.until), receivedAt));
  const moveOnce = async () => {
    const current = await stores.readMarks.current(tenant.tenant_id, principal);
    if (current !== null && current.document.until >= until) return current.document;
    const expected = current?.revision ?? null;
    const put = stores.readMarks.put(tenant.tenant_id, principal, { until }, { expected, by: claim });
    return (await commit([put])) ? { until } : CONFLICT;
  };
  return reply(200, await retryOnConflict(moveOnce, { maxAttempts: MAX_ATTEMPTS, subject: 'a read mark' }));
});
