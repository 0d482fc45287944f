import { createReportSubscription } from '../../../schemas/routes/delivery/reportSubscriptions.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { authorizeChat, authorizeRecipient } from './authorizeRecipient.ts';
import { toSubscription } from './subscription.store.ts';
import { subscriptionResource } from './subscriptionResource.ts';

export default operation(createReportSubscription, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { every, channel, owner = null, recipient } = body;
  const { document } = await subscriptionResource(stores.subscriptionStore).create(call, async (id) => {
    const authorized_by =
      channel === 'chat'
        ? authorizeChat(caller, receivedAt)
        : await authorizeRecipient(stores.credentialLists, caller, recipient, receivedAt);
    return {
      id,
      every,
      channel,
      owner,
      recipient: channel === 'chat' ? null : authorized_by.id,
      residency: caller.residency,
      created_at: toIso(receivedAt),
      created_by: caller.principal,
      authorized_by,
    };
  });
  return reply(201, toSubscription(document), { location: `/api/v1/report-subscriptions/${document.id}` });
});
