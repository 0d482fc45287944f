import type { SQSRecord } from 'aws-lambda';
import { RollupMessage } from '../../schemas/rollup.ts';
import { ledgerReader } from '../attribution/store.ts';
import { budgetWatchStore } from '../budgets/budget.store.ts';
import { budgetWatch } from '../budgets/evaluate.ts';
import { outbox } from '../events/outbox.store.ts';
import { queueHandler } from '../queue/batch.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import { tenantReader } from '../tenancy/store.ts';
import { rollupComputer } from './compute.ts';
import { rollupWriter } from './rollup.store.ts';

const tenants = tenantReader(resource('table', 'tenants'));
const rollups = rollupWriter(resource('table', 'rollups'));
const compute = rollupComputer({
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  rollups,
  clock: systemClock,
});
const watchBudgets = budgetWatch({
  budgets: budgetWatchStore(resource('table', 'budgets')),
  rollups,
  outbox: outbox(resource('table', 'outbox')),
  clock: systemClock,
});

/** Sums anew what has changed, and holds the budgets against it. */
export const handler = queueHandler(async (record: SQSRecord) => {
  const { tenant_id, minutes } = RollupMessage.parse(JSON.parse(record.body));
  const tenant = await tenants.tenant(tenant_id);
  if (tenant === null) return;
  await compute(tenant, minutes);
  await watchBudgets(tenant, minutes);
});
