import { auditLog } from '../../identity/audit/audit.store.ts';
import { findingReader } from '../../insight/anomalies/anomaly.store.ts';
import listAnomalies from '../../insight/anomalies/listAnomalies.ts';
import { muteStore } from '../../insight/anomalies/mutes/mute.store.ts';
import muteAnomaly from '../../insight/anomalies/mutes/muteAnomaly.ts';
import unmuteAnomaly from '../../insight/anomalies/mutes/unmuteAnomaly.ts';
import { budgetReader, budgetWriter } from '../../insight/budgets/budget.store.ts';
import createBudget from '../../insight/budgets/createBudget.ts';
import deleteBudget from '../../insight/budgets/deleteBudget.ts';
import getBudget from '../../insight/budgets/getBudget.ts';
import listBudgetPeriods from '../../insight/budgets/listBudgetPeriods.ts';
import listBudgets from '../../insight/budgets/listBudgets.ts';
import updateBudget from '../../insight/budgets/updateBudget.ts';
import { rollupQueue } from '../../ledger/rollups/queue.aws.ts';
import { totalsCheckRequester } from '../../ledger/rollups/requestCheck.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { indexLagFromEnv } from '../wiring/indexLagFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  budgets: budgetReader(resource('table', 'budgets')),
  budgetWriter: budgetWriter(resource('table', 'budgets')),
  findings: findingReader(resource('table', 'anomalies')),
  mutes: muteStore(resource('table', 'anomalies')),
  rollups: rollupReader(resource('table', 'rollups')),
  indexLag: indexLagFromEnv(),
  requestTotalsCheck: totalsCheckRequester(rollupQueue(resource('queue', 'rollups'))),
  outbox: outbox(resource('table', 'outbox')),
  cursorKey: cursorKeyFromEnv(),
};

const operations = [
  createBudget,
  listBudgets,
  getBudget,
  listBudgetPeriods,
  updateBudget,
  deleteBudget,
  listAnomalies,
  muteAnomaly,
  unmuteAnomaly,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...pipelineFromEnv(), responses: storedResponsesFromEnv() },
);
