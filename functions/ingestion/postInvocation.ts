import { type InvocationAccepted, postInvocation } from '../../schemas/routes/ingestion/ingestion.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { idOf, invocationUlid } from '../shared/ids.ts';
import { ProblemError } from '../shared/problem.ts';
import { findDroppedMembers } from './droppedLabels.ts';
import { enqueueEvents } from './enqueueEvents.ts';
import { validateEventTimes } from './eventTimes.ts';

export default operation(postInvocation, async ({ body: event, rawBody, caller, receivedAt, stores }) => {
  const errors = validateEventTimes(event, receivedAt);
  if (errors.length > 0) {
    throw new ProblemError('VALIDATION_FAILED', 'The event times are outside the accepted range.', {
      errors,
    });
  }
  const { tenant_id: tenantId, tag } = caller.tenant;
  const dropped = findDroppedMembers(rawBody);
  await enqueueEvents(stores, {
    caller,
    receivedAt,
    events: [JSON.stringify(event)],
    droppedMembers: dropped.scrubbed.length,
  });
  const accepted: InvocationAccepted = {
    event_id: event.event_id,
    invocation_id: idOf('inv', tag, invocationUlid(tenantId, event.event_id)),
    status: 'queued',
    ...dropped,
  };
  return reply(202, accepted);
});
