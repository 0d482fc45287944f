import { updateSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { changeSandbox } from './changeSandbox.ts';
import { withLiveTraffic } from './sandbox.ts';

export default operation(updateSandbox, async ({ body, caller, receivedAt, claim, auditContext, stores }) => {
  const call = { tenant: caller.tenant, receivedAt, claim, auditContext, stores };
  const sandbox = await changeSandbox(call, (state) => withLiveTraffic(state, body.live_traffic, receivedAt));
  return reply(200, sandbox);
});
