import { getUsageReport } from '../../../schemas/routes/insight/reports.ts';
import { operation } from '../../platform/http/operation.ts';
import { readPeriodStatuses } from '../periods/periodStatus.ts';
import { readIdle } from './readIdle.ts';
import { respondWithReport } from './report.ts';
import { sumUsage } from './reportTotals.ts';

export default operation(getUsageReport, (call) => {
  const { caller, stores } = call;
  return respondWithReport(getUsageReport, call, sumUsage, async (range) => {
    const [billing_periods, idle] = await Promise.all([
      readPeriodStatuses(stores, caller.tenant.tenant_id, range, caller.residency),
      readIdle(call, range),
    ]);
    return { billing_periods, ...idle };
  });
});
