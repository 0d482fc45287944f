import { listOAuthClients } from '../../schemas/routes/oauthClients.ts';
import { operation } from '../http/operation.ts';
import { page, stretchOf } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { clientRecord } from './clientRecord.ts';

export default operation(listOAuthClients, ({ query, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  return page({
    route: listOAuthClients,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const { items, resume } = stretchOf(
        await stores.credentialLists.clients(tenant.tag, range),
        limit,
        (client) => ulidInId(client.client_id),
      );
      const clients = items.filter((client) => client.deleted_at === null);
      const ids = clients.map((client) => client.client_id);
      const used = await stores.lastUse.of(tenant.tenant_id, ids, receivedAt);
      return {
        items: clients.map((client) => clientRecord(client, used.get(client.client_id), receivedAt)),
        resume,
      };
    },
  });
});
