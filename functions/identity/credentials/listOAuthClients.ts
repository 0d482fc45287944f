import { listOAuthClients } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../platform/http/pages/paging.ts';
import type { DocumentRange } from '../../platform/shared/aws/document.store.ts';
import { toClientRecord } from './clientRecord.ts';

export default operation(listOAuthClients, (call) => {
  const { caller, receivedAt, stores } = call;
  const { tenant_id: tenantId, tag } = caller.tenant;
  const read = (range: DocumentRange) => stores.credentialLists.clients(tag, range);
  return respondWithPage(listOAuthClients, call, async (start, limit) => {
    const { items, resume } = await readNewest(read, start, limit, (client) => client.client_id);
    const clients = items.filter((client) => client.deleted_at === null);
    const ids = clients.map((client) => client.client_id);
    const used = await stores.lastUse.read(tenantId, ids, receivedAt);
    return {
      items: clients.map((client) => toClientRecord(client, used.get(client.client_id), receivedAt)),
      resume,
    };
  });
});
