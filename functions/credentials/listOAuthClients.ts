import { listOAuthClients } from '../../schemas/routes/oauthClients.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { toClientRecord } from './clientRecord.ts';

export default operation(listOAuthClients, ({ query, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  return respondWithPage({
    route: listOAuthClients,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const { items, resume } = toPage(
        await stores.credentialLists.clients(tenant.tag, range),
        limit,
        (client) => ulidInId(client.client_id),
      );
      const clients = items.filter((client) => client.deleted_at === null);
      const ids = clients.map((client) => client.client_id);
      const used = await stores.lastUse.read(tenant.tenant_id, ids, receivedAt);
      return {
        items: clients.map((client) => toClientRecord(client, used.get(client.client_id), receivedAt)),
        resume,
      };
    },
  });
});
