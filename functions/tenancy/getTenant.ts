import { getTenant } from '../../schemas/routes/tenant.ts';
import { operation } from '../http/operation.ts';
import { orUnavailable } from '../http/problem.ts';
import { reply } from '../http/reply.ts';
import { settingsOf } from './settings.ts';

export default operation(getTenant, async ({ caller: { tenant }, stores }) => {
  const serving = await orUnavailable(() => stores.serving.serving(tenant.tenant_id));
  return reply(200, settingsOf(tenant, serving));
});
