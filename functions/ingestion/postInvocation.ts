import { postInvocation } from '../../schemas/routes/ingestion/ingestion.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { receiveEvent } from './receiveEvent.ts';

export default operation(postInvocation, async ({ body: event, rawBody, caller, receivedAt, stores }) =>
  reply(202, await receiveEvent(stores, { event, rawBody, caller, receivedAt })),
);
