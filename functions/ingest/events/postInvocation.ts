import { postInvocation } from '../../../schemas/routes/ingest/events.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { receiveEvent } from './receiveEvent.ts';

export default operation(postInvocation, async ({ body: event, rawBody, caller, receivedAt, stores }) =>
  reply(202, await receiveEvent(stores, { event, rawBody, caller, receivedAt })),
);
