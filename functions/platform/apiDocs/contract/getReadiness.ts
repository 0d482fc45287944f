import { getReadiness, readinessChecks } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { ProblemError } from '../../shared/problem.ts';

export default operation(getReadiness, async ({ stores }) => {
  const readiness = await stores.checkReadiness();
  if (readiness.status === 'ready') return reply(200, readiness);
  const failed = readinessChecks.filter((name) => readiness.checks[name] === 'failed');
  throw new ProblemError('SERVICE_UNAVAILABLE', `Not available: ${failed.join(', ')}.`, {
    errors: failed.map((name) => ({ detail: `${name} did not respond.` })),
    headers: { 'retry-after': '1' },
  });
});
