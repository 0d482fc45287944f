import { getReadiness } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';

export default operation(getReadiness, async ({ stores }) => {
  const readiness = await stores.checkReadiness();
  return reply(readiness.status === 'ready' ? 200 : 503, readiness);
});
