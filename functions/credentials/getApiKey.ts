import { getApiKey } from '../../schemas/routes/access/apiKeys.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { ProblemError } from '../shared/problem.ts';
import { toApiKeyRecord } from './apiKeyRecord.ts';

export default operation(getApiKey, async ({ parameters, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  const key = await stores.credentials.apiKey(`${tenant.tag}${parameters['id']}`);
  if (key === null) throw new ProblemError('NOT_FOUND', 'There is no such API key.');
  const used = await stores.lastUse.read(tenant.tenant_id, [key.key_id], receivedAt);
  return reply(200, toApiKeyRecord(key, used.get(key.key_id), receivedAt));
});
