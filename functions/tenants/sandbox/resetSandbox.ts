import { resetSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { changeSandbox } from './changeSandbox.ts';
import { withReset } from './sandbox.ts';

export default operation(
  resetSandbox,
  async ({ body, caller: { tenant }, receivedAt, claim, auditContext, stores }) => {
    const id = idOf('rst', tenant.tag, deterministicUlid('sandbox reset', claim.claim, receivedAt));
    const call = { tenant, receivedAt, claim, auditContext, stores };
    const sandbox = await changeSandbox(call, (state) =>
      withReset(state, { id, live: body.live_traffic, now: receivedAt }),
    );
    return reply(202, sandbox);
  },
);
