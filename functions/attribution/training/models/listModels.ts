import { listModels } from '../../../../schemas/routes/attribution/models.ts';
import { operation } from '../../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../../platform/http/pages/paging.ts';
import type { DocumentRange } from '../../../platform/shared/aws/document.store.ts';

export default operation(listModels, (call) => {
  const { caller, stores } = call;
  const read = (range: DocumentRange) => stores.models.models(caller.tenant.tenant_id, range);
  return respondWithPage(listModels, call, (start, limit) =>
    readNewest(read, start, limit, ({ version }) => version),
  );
});
