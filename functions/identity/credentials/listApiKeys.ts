import { listApiKeys } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../platform/http/pages/paging.ts';
import type { DocumentRange } from '../../platform/shared/aws/document.store.ts';
import { toApiKeyRecord } from './apiKeyRecord.ts';

export default operation(listApiKeys, (call) => {
  const { caller, receivedAt, stores } = call;
  const { tenant_id: tenantId, tag } = caller.tenant;
  const read = (range: DocumentRange) => stores.credentialLists.apiKeys(tag, range);
  return respondWithPage(listApiKeys, call, async (start, limit) => {
    const { items: keys, resume } = await readNewest(read, start, limit, (key) => key.key_id);
    const ids = keys.map((key) => key.key_id);
    const used = await stores.lastUse.read(tenantId, ids, receivedAt);
    return { items: keys.map((key) => toApiKeyRecord(key, used.get(key.key_id), receivedAt)), resume };
  });
});
