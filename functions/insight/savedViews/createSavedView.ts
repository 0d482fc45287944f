import { createSavedView } from '../../../schemas/routes/insight/savedViews.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidOfDigest } from '../../platform/shared/ulid.ts';
import { savedViewResource } from './savedViewResource.ts';

export default operation(createSavedView, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const view = { ...body, residency: caller.residency };
  const ulid = ulidOfDigest(sha256Of('saved view', JSON.stringify([view.page, view.name, view.residency])));
  const savedView = await savedViewResource(stores.savedViewStore).put(call, ulid, (id) => ({
    id,
    ...view,
    created_by: caller.principal,
    created_at: toIso(receivedAt),
  }));
  return reply(200, savedView);
});
