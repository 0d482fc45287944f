import { getOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toClientRecord } from './clientRecord.ts';

export default operation(getOAuthClient, async ({ parameters, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  const client = await stores.credentials.client(`${tenant.tag}${parameters['id']}`);
  if (client === null || client.deleted_at !== null) {
    throw new ProblemError('NOT_FOUND', 'There is no such OAuth client.');
  }
  const used = await stores.lastUse.read(tenant.tenant_id, [client.client_id], receivedAt);
  return reply(200, toClientRecord(client, used.get(client.client_id), receivedAt));
});
