import { createAnnotation } from '../../../schemas/routes/insight/annotations.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidOfDigest } from '../../platform/shared/ulid.ts';
import { annotationResource } from './annotationResource.ts';

export default operation(createAnnotation, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const note = { ...body, residency: caller.residency };
  const ulid = ulidOfDigest(sha256Of('annotation', JSON.stringify([note.date, note.text, note.residency])));
  const annotation = await annotationResource(stores.annotationStore).put(call, ulid, (id) => ({
    id,
    ...note,
    created_by: caller.principal,
    created_at: toIso(receivedAt),
  }));
  return reply(200, annotation);
});
