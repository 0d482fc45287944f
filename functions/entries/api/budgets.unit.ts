import { findingReader } from '../../anomalies/anomaly.store.ts';
import listAnomalies from '../../anomalies/listAnomalies.ts';
import { muteStore } from '../../anomalies/mutes/mute.store.ts';
import muteAnomaly from '../../anomalies/mutes/muteAnomaly.ts';
import unmuteAnomaly from '../../anomalies/mutes/unmuteAnomaly.ts';
import { auditLog } from '../../audit/audit.store.ts';
import { budgetReader, budgetWriter } from '../../budgets/budget.store.ts';
import createBudget from '../../budgets/createBudget.ts';
import deleteBudget from '../../budgets/deleteBudget.ts';
import getBudget from '../../budgets/getBudget.ts';
import listBudgetPeriods from '../../budgets/listBudgetPeriods.ts';
import listBudgets from '../../budgets/listBudgets.ts';
import updateBudget from '../../budgets/updateBudget.ts';
import { outbox } from '../../events/outbox.store.ts';
import { rollupQueue } from '../../rollups/queue.store.ts';
import { totalsCheckRequester } from '../../rollups/requestCheck.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { resource } from '../../shared/settings.ts';
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
