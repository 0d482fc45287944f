import { reprocessRecords } from '../../../../schemas/routes/attribution/reprocessing.ts';
import { operation } from '../../../platform/http/operation.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { startRequestedJob } from './startRequestedJob.ts';

export default operation(reprocessRecords, async (call) => {
  const { body, receivedAt } = call;
  const from = toIso(Date.parse(body.from));
  const to = body.to === undefined ? toIso(receivedAt) : toIso(Date.parse(body.to));
  if (from >= to) {
    throw new ProblemError('VALIDATION_FAILED', 'The body does not match its schema.', {
      errors: [{ pointer: '/from', detail: 'must be before to' }],
    });
  }
  return startRequestedJob(call, { type: 'reprocessing', period: { from, to }, selection: { kind: 'all' } });
});
