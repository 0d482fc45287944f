import { listApiKeys } from '../../schemas/routes/apiKeys.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { toApiKeyRecord } from './apiKeyRecord.ts';

export default operation(listApiKeys, ({ query, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  return respondWithPage({
    route: listApiKeys,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const { items, resume } = toPage(
        await stores.credentialLists.apiKeys(tenant.tag, range),
        limit,
        (key) => ulidInId(key.key_id),
      );
      const ids = items.map((key) => key.key_id);
      const used = await stores.lastUse.read(tenant.tenant_id, ids, receivedAt);
      return { items: items.map((key) => toApiKeyRecord(key, used.get(key.key_id), receivedAt)), resume };
    },
  });
});
