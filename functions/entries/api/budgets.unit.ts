import createAnnotation from '../../insight/annotations/createAnnotation.ts';
import deleteAnnotation from '../../insight/annotations/deleteAnnotation.ts';
import listAnnotations from '../../insight/annotations/listAnnotations.ts';
import listAnomalies from '../../insight/anomalies/listAnomalies.ts';
import muteAnomaly from '../../insight/anomalies/mutes/muteAnomaly.ts';
import unmuteAnomaly from '../../insight/anomalies/mutes/unmuteAnomaly.ts';
import createBudget from '../../insight/budgets/createBudget.ts';
import deleteBudget from '../../insight/budgets/deleteBudget.ts';
import getBudget from '../../insight/budgets/getBudget.ts';
import listBudgetPeriods from '../../insight/budgets/listBudgetPeriods.ts';
import listBudgets from '../../insight/budgets/listBudgets.ts';
import updateBudget from '../../insight/budgets/updateBudget.ts';
import deleteBusinessMetric from '../../insight/metrics/deleteBusinessMetric.ts';
import listBusinessMetrics from '../../insight/metrics/listBusinessMetrics.ts';
import postBusinessMetric from '../../insight/metrics/postBusinessMetric.ts';
import createSavedView from '../../insight/savedViews/createSavedView.ts';
import deleteSavedView from '../../insight/savedViews/deleteSavedView.ts';
import listSavedViews from '../../insight/savedViews/listSavedViews.ts';
import dismissSaving from '../../insight/savings/dismissals/dismissSaving.ts';
import listSavingDismissals from '../../insight/savings/dismissals/listSavingDismissals.ts';
import restoreSaving from '../../insight/savings/dismissals/restoreSaving.ts';
import { auditAppend } from '../stores/identity.ts';
import {
  annotationsRead,
  annotationsWrite,
  anomaliesMute,
  anomaliesRead,
  budgetsRead,
  budgetsWrite,
  businessMetricsRead,
  businessMetricsWrite,
  savedViewsRead,
  savedViewsWrite,
  savingDismissalsRead,
  savingDismissalsWrite,
} from '../stores/insight.ts';
import { cursorDerive } from '../stores/keys.ts';
import { rollupsCheck, rollupsRead } from '../stores/ledger.ts';
import { progressRead } from '../stores/progress.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    createBudget,
    listBudgets,
    getBudget,
    listBudgetPeriods,
    updateBudget,
    deleteBudget,
    listAnomalies,
    muteAnomaly,
    unmuteAnomaly,
    dismissSaving,
    listSavingDismissals,
    restoreSaving,
    postBusinessMetric,
    listBusinessMetrics,
    deleteBusinessMetric,
    createSavedView,
    listSavedViews,
    deleteSavedView,
    createAnnotation,
    listAnnotations,
    deleteAnnotation,
  ],
  stores: {
    annotationsRead,
    annotationsWrite,
    savedViewsRead,
    savedViewsWrite,
    anomaliesMute,
    anomaliesRead,
    auditAppend,
    budgetsRead,
    budgetsWrite,
    businessMetricsRead,
    businessMetricsWrite,
    cursorDerive,
    progressRead,
    rollupsCheck,
    rollupsRead,
    savingDismissalsRead,
    savingDismissalsWrite,
  },
});
