import { listApiKeys } from '../../schemas/routes/apiKeys.ts';
import { operation } from '../http/operation.ts';
import { page, stretchOf } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { apiKeyRecord } from './apiKeyRecord.ts';

export default operation(listApiKeys, ({ query, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  return page({
    route: listApiKeys,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const { items, resume } = stretchOf(
        await stores.credentialLists.apiKeys(tenant.tag, range),
        limit,
        (key) => ulidInId(key.key_id),
      );
      const ids = items.map((key) => key.key_id);
      const used = await stores.lastUse.of(tenant.tenant_id, ids, receivedAt);
      return { items: items.map((key) => apiKeyRecord(key, used.get(key.key_id), receivedAt)), resume };
    },
  });
});
