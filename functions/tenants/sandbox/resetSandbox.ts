import { resetSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { changeSandbox } from './changeSandbox.ts';
import { withReset } from './sandbox.ts';

export default operation(resetSandbox, async (call) => {
  const { body, caller, receivedAt: now, claim } = call;
  const id = idOf('rst', caller.tenant.tag, deterministicUlid('sandbox reset', claim.claim, now));
  return reply(
    202,
    await changeSandbox(call, (state) => withReset(state, { id, live: body.live_traffic, now })),
  );
});
