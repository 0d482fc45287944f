import { subscribableTypes } from '../../../schemas/delivery/webhooks.ts';
import { listWebhookEvents, RECENT_SECONDS } from '../../../schemas/routes/delivery/webhookEvents.ts';
import { operation } from '../../platform/http/operation.ts';
import { endOfList } from '../../platform/http/pages/filteredPage.ts';
import { respondWithPage } from '../../platform/http/pages/paging.ts';
import { invalidParameter } from '../../platform/shared/problem.ts';
import { isReadable, requireReadable } from './endpoints/authorization.ts';

export default operation(listWebhookEvents, (call) => {
  const { query, caller, stores } = call;
  if (query.types !== undefined) requireReadable(caller, query.types);
  const types = query.types ?? subscribableTypes.filter((type) => isReadable(caller.scopes, type));

  if (query.from !== undefined && query.last_seconds !== undefined)
    throw invalidParameter('INVALID_REQUEST', 'last_seconds cannot be combined with from.', 'last_seconds');

  return respondWithPage(listWebhookEvents, call, ({ after, asOf }, limit) => {
    const end = query.to === undefined ? asOf : Date.parse(query.to);
    const to = query.to === undefined ? endOfList(asOf) : end;
    const seconds = query.last_seconds ?? RECENT_SECONDS;
    const from = query.from === undefined ? end - seconds * 1_000 : Date.parse(query.from);
    if (from >= end) throw invalidParameter('INVALID_REQUEST', 'from must be earlier than to.', 'from');
    return stores.raised.page(caller.tenant, { from, to, types, after, limit });
  });
});
