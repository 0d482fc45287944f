import { findingReader } from '../anomalies/anomaly.store.ts';
import listAnomalies from '../anomalies/listAnomalies.ts';
import { auditLog } from '../audit/store.ts';
import { outbox } from '../events/outbox.store.ts';
import { cursorKeyOf, onionOf, storedResponsesOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { rollupReader } from '../rollups/rollup.store.ts';
import { resource } from '../shared/settings.ts';
import { budgetReader, budgetWriter } from './budget.store.ts';
import createBudget from './createBudget.ts';
import deleteBudget from './deleteBudget.ts';
import getBudget from './getBudget.ts';
import listBudgets from './listBudgets.ts';
import updateBudget from './updateBudget.ts';

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
