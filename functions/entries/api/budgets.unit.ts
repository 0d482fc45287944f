import { findingReader } from '../../anomalies/anomaly.store.ts';
import listAnomalies from '../../anomalies/listAnomalies.ts';
import { auditLog } from '../../audit/auditLog.store.ts';
import { budgetReader, budgetWriter } from '../../budgets/budget.store.ts';
import createBudget from '../../budgets/createBudget.ts';
import deleteBudget from '../../budgets/deleteBudget.ts';
import getBudget from '../../budgets/getBudget.ts';
import listBudgets from '../../budgets/listBudgets.ts';
import updateBudget from '../../budgets/updateBudget.ts';
import { outbox } from '../../events/outbox.store.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { resource } from '../../shared/settings.ts';
import { cursorKeyOf, onionOf, storedResponsesOf } from '../wiring/onion.ts';
import { unit } from '../wiring/unit.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  budgets: budgetReader(resource('table', 'budgets')),
  budgetWriter: budgetWriter(resource('table', 'budgets')),
  findings: findingReader(resource('table', 'anomalies')),
  rollups: rollupReader(resource('table', 'rollups')),
  outbox: outbox(resource('table', 'outbox')),
  cursorKey: cursorKeyOf(),
};

const operations = [createBudget, listBudgets, getBudget, updateBudget, deleteBudget, listAnomalies];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...onionOf(), audit, responses: storedResponsesOf() },
);
