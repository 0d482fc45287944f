import { postInvocationBatch } from '../../schemas/routes/ingestion/ingestion.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { receiveBatch } from './receiveBatch.ts';

export default operation(postInvocationBatch, async ({ body, caller, receivedAt, stores }) =>
  reply(202, await receiveBatch(stores, { sent: body.events, caller, receivedAt })),
);
