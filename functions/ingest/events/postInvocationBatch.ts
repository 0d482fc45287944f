import { postInvocationBatch } from '../../../schemas/routes/ingest/events.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { acceptEvents } from './acceptEvents.ts';
import { batchResult } from './eventResults.ts';

export default operation(postInvocationBatch, async ({ body: { events }, caller, receivedAt, stores }) =>
  reply(202, batchResult(await acceptEvents(stores, events, { caller, receivedAt }), caller)),
);
