import { getApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toApiKeyRecord } from './apiKeyRecord.ts';

export default operation(getApiKey, async ({ parameters, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  const key = await stores.credentials.apiKey(`${tenant.tag}${parameters['id']}`);
  if (key === null) throw new ProblemError('NOT_FOUND', 'There is no such API key.');
  const used = await stores.lastUse.read(tenant.tenant_id, [key.key_id], receivedAt);
  return reply(200, toApiKeyRecord(key, used.get(key.key_id), receivedAt));
});
