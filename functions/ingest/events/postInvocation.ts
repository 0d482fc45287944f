import { postInvocation } from '../../../schemas/routes/ingest/events.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { acceptEvents } from './acceptEvents.ts';
import { singleResult } from './eventResults.ts';

export default operation(postInvocation, async ({ body, caller, receivedAt, stores }) =>
  reply(202, singleResult(await acceptEvents(stores, [body], { caller, receivedAt }), caller)),
);
