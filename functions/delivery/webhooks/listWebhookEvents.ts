import { listWebhookEvents, RECENT_SECONDS } from '../../../schemas/routes/delivery/webhookEvents.ts';
import { subscribableTypes } from '../../../schemas/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage } from '../../platform/http/paging.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { isReadable, requireReadable } from './endpoints/authorization.ts';

const invalidRange = (parameter: string, detail: string) =>
  new ProblemError('VALIDATION_FAILED', 'The time range is not valid.', { errors: [{ parameter, detail }] });

export default operation(listWebhookEvents, (call) => {
  const { query, caller, stores } = call;
  if (query.types !== undefined) requireReadable(caller, query.types);
  const types = query.types ?? subscribableTypes.filter((type) => isReadable(caller.scopes, type));

  if (query.from !== undefined && query.last_seconds !== undefined)
    throw invalidRange('last_seconds', 'cannot be combined with from');

  return respondWithPage(listWebhookEvents, call, ({ after, asOf }, limit) => {
    const to = query.to === undefined ? asOf : Date.parse(query.to);
    const seconds = query.last_seconds ?? RECENT_SECONDS;
    const from = query.from === undefined ? to - seconds * 1_000 : Date.parse(query.from);
    if (from >= to) throw invalidRange('from', 'must be earlier than to');
    return stores.raised.page(caller.tenant, { from, to, types, after, limit });
  });
});
