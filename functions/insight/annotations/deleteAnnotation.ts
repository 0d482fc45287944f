import { deleteAnnotation } from '../../../schemas/routes/insight/annotations.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { annotationResource } from './annotationResource.ts';

export default operation(deleteAnnotation, async (call) => {
  await annotationResource(call.stores.annotationStore).remove(call);
  return reply(204, undefined);
});
