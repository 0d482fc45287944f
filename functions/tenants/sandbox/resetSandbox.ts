import { resetSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { jobLocation } from '../../platform/jobs/startedJob.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { changeSandbox } from './changeSandbox.ts';
import { withReset } from './sandbox.ts';

export default operation(resetSandbox, async (call) => {
  const { body, caller, receivedAt: now, claim } = call;
  const id = idOf('rst', caller.tenant.tag, deterministicUlid('sandbox reset', claim.claim, now));
  const sandbox = await changeSandbox(call, (state) =>
    withReset(state, { id, live: body.live_traffic, now }),
  );
  return reply(202, sandbox, sandbox.reset === null ? {} : jobLocation(sandbox.reset));
});
