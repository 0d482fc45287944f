import { postInvocation } from '../../../schemas/routes/ingest/events.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { acceptChecked, checkSent } from './acceptEvents.ts';
import { singleResult } from './eventResults.ts';
import { keyOfEvent } from './keyOfEvent.ts';

export default operation(postInvocation, ({ body, caller, receivedAt: arrivedAt, stores, underKey }) => {
  const checked = checkSent([body], { caller, receivedAt: arrivedAt });
  const key = keyOfEvent(stores, checked, caller);
  return underKey(key, async (receivedAt) => {
    const events = receivedAt === arrivedAt ? checked : checkSent([body], { caller, receivedAt });
    await acceptChecked(stores, events, { caller, receivedAt, claimed: key.claimed() });
    return reply(202, singleResult(events, caller));
  });
});
