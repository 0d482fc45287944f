import { updateSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { changeSandbox } from './changeSandbox.ts';
import { withLiveTraffic } from './sandbox.ts';

export default operation(updateSandbox, async (call) => {
  const { body, receivedAt } = call;
  return reply(
    200,
    await changeSandbox(call, (state) => withLiveTraffic(state, body.live_traffic, receivedAt)),
  );
});
