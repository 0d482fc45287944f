import { getUsageReport } from '../../../schemas/routes/insight/reports.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithReport } from './report.ts';
import { sumUsage } from './reportTotals.ts';

export default operation(getUsageReport, (call) => respondWithReport(getUsageReport, call, sumUsage));
