import { getUsageReport } from '../../../schemas/routes/insight/reports.ts';
import { operation } from '../../platform/http/operation.ts';
import { readPeriodStatuses } from '../periods/periodStatus.ts';
import { respondWithReport } from './report.ts';
import { sumUsage } from './reportTotals.ts';

export default operation(getUsageReport, (call) => {
  const { caller, stores } = call;
  return respondWithReport(getUsageReport, call, sumUsage, async (range) => ({
    billing_periods: await readPeriodStatuses(stores, caller.tenant.tenant_id, range, caller.residency),
  }));
});
