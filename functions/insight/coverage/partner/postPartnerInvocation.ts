import { postPartnerInvocation } from '../../../../schemas/routes/insight/partner.ts';
import { singleResult } from '../../../ingest/events/eventResults.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { acceptOwnEvents } from './acceptOwnEvents.ts';

export default operation(postPartnerInvocation, async ({ body, caller, receivedAt, stores }) =>
  reply(202, singleResult(await acceptOwnEvents(stores, [body], { caller, receivedAt }, () => ''), caller)),
);
