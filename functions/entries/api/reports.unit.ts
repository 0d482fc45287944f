import listNotifications from '../../delivery/notifications/listNotifications.ts';
import getAnomaly from '../../insight/anomalies/getAnomaly.ts';
import getMetricCosts from '../../insight/metrics/getMetricCosts.ts';
import getAdoptionReport from '../../insight/reports/getAdoptionReport.ts';
import getChangesReport from '../../insight/reports/getChangesReport.ts';
import getForecastReport from '../../insight/reports/getForecastReport.ts';
import getNodeHours from '../../insight/reports/getNodeHours.ts';
import getUnitCostsReport from '../../insight/reports/getUnitCostsReport.ts';
import getUsageReport from '../../insight/reports/getUsageReport.ts';
import getSavingsReport from '../../insight/savings/getSavingsReport.ts';
import { pricesRead } from '../stores/artefacts.ts';
import { nodeHoursRead } from '../stores/attribution.ts';
import { closingsRead, periodsRead } from '../stores/chargeback/periods.ts';
import { notificationsRead, notificationsReadMark } from '../stores/delivery.ts';
import { anomaliesRead, businessMetricsRead, savingDismissalsRead } from '../stores/insight.ts';
import { cursorDerive } from '../stores/keys.ts';
import { rollupsRead } from '../stores/ledger.ts';
import { resultsPage, tenantsRead } from '../stores/platform.ts';
import { progressRead } from '../stores/progress.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    getUsageReport,
    getAdoptionReport,
    getForecastReport,
    getChangesReport,
    getUnitCostsReport,
    getMetricCosts,
    getSavingsReport,
    getNodeHours,
    getAnomaly,
    listNotifications,
  ],
  stores: {
    anomaliesRead,
    businessMetricsRead,
    closingsRead,
    cursorDerive,
    nodeHoursRead,
    notificationsRead,
    notificationsReadMark,
    periodsRead,
    pricesRead,
    progressRead,
    resultsPage,
    rollupsRead,
    savingDismissalsRead,
    tenantsRead,
  },
});
