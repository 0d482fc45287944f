import { getUsageReport } from '../../schemas/routes/reports.ts';
import { operation } from '../http/operation.ts';
import { answerReport } from './report.ts';
import { usageOf } from './sums.ts';

export default operation(getUsageReport, ({ query, caller, receivedAt, stores }) =>
  answerReport({ route: getUsageReport, query, caller, receivedAt, stores, sumUp: usageOf }),
);
