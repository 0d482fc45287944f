import { postPartnerEvents } from '../../../../schemas/routes/insight/partner.ts';
import { batchResult } from '../../../ingest/events/eventResults.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { acceptOwnEvents } from './acceptOwnEvents.ts';

export default operation(postPartnerEvents, async ({ body: { events }, caller, receivedAt, stores }) =>
  reply(
    202,
    batchResult(
      await acceptOwnEvents(stores, events, { caller, receivedAt }, (index) => `/events/${index}`),
      caller,
    ),
  ),
);
