import { getReadiness } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { ProblemError } from '../../shared/problem.ts';

export default operation(getReadiness, async ({ stores }) => {
  const readiness = await stores.checkReadiness();
  if (readiness.status === 'ready') return reply(200, readiness);
  throw new ProblemError('SERVICE_UNAVAILABLE', 'At least one dependency does not answer. See checks.', {
    headers: { 'retry-after': '1' },
    members: { checks: readiness.checks },
  });
});
