import { dismissSaving } from '../../../../schemas/routes/insight/savingDismissals.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { dismissalResource } from './dismissalResource.ts';
import { suggestionUlid } from './dismissals.ts';

export default operation(dismissSaving, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const suggestion = { ...body, kind: body.kind ?? 'group' };
  const ulid = suggestionUlid(suggestion, caller.residency);
  const dismissal = await dismissalResource(stores.dismissalStore).put(call, ulid, (id) => ({
    ...suggestion,
    id,
    residency: caller.residency,
    dismissed_by: caller.principal,
    dismissed_at: toIso(receivedAt),
  }));
  return reply(200, dismissal);
});
