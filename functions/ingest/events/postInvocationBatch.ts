import { postInvocationBatch } from '../../../schemas/routes/ingest/events.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { receiveBatch } from './receiveBatch.ts';

export default operation(postInvocationBatch, async ({ body, caller, receivedAt, stores }) =>
  reply(202, await receiveBatch(stores, { sent: body.events, caller, receivedAt })),
);
