import { type InvocationAccepted, postInvocation } from '../../schemas/routes/ingestion.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { idOf, invocationUlid } from '../shared/ids.ts';
import { measure } from '../shared/metrics.ts';
import { ProblemError, unavailable } from '../shared/problem.ts';
import { packMessages } from './acceptedMessage.ts';
import { findDroppedMembers } from './droppedLabels.ts';
import { validateEventTimes } from './eventTimes.ts';

export default operation(postInvocation, async ({ body: event, rawBody, caller, receivedAt, stores }) => {
  const errors = validateEventTimes(event, receivedAt);
  if (errors.length > 0) {
    throw new ProblemError('VALIDATION_FAILED', 'The event times are outside the accepted range.', {
      errors,
    });
  }
  const { tenant_id: tenantId, tag } = caller.tenant;
  const arrival = { tenant_id: tenantId, received_at: receivedAt, residency: caller.residency };
  const dropped = findDroppedMembers(rawBody);
  const sent = stores.accepted.send(
    tenantId,
    packMessages(arrival, [JSON.stringify(event)], dropped.scrubbed.length),
  );
  await Promise.all([sent, stores.reportProgress(tenantId, 'accepted', receivedAt)]).catch((error) => {
    throw unavailable(error);
  });
  measure('accepted');
  const accepted: InvocationAccepted = {
    event_id: event.event_id,
    invocation_id: idOf('inv', tag, invocationUlid(tenantId, event.event_id)),
    status: 'queued',
    ...dropped,
  };
  return reply(202, accepted);
});
