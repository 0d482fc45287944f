import { afterAll, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { sampleTotals } from '../../../functions/tenants/sandbox/sampleTotals.ts';
import { withReset } from '../../../functions/tenants/sandbox/sandbox.ts';
import { SAMPLE_DAYS } from '../../../schemas/tenants/sandbox.ts';
import { aGroup, putRollup } from '../../insight/budgets/rollupFixtures.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { NOW } from './harness.ts';

const live = await startTables();
afterAll(() => live.stop());

it('are complete when the days of the data set contain as many calls as were sent', async () => {
  const tenant = newTenant({ sandbox: true });
  const { reset } = withReset({ live_until: null, reset: null }, { id: 'rst_1', live: false, now: NOW });
  if (reset === null) throw new Error('there is no reset');
  const isTotalled = sampleTotals(rollupReader('rollups'));
  const isComplete = () => isTotalled(tenant, { ...reset, sent_events: 10 });

  const before = await isComplete();
  await putRollup(tenant, 'day', NOW - SAMPLE_DAYS * LENGTH.day, [aGroup('1', { calls: 4 })]);
  await putRollup(tenant, 'day', NOW, [aGroup('1', { calls: 5 })]);
  await putRollup(tenant, 'day', NOW - (SAMPLE_DAYS + 1) * LENGTH.day, [aGroup('1', { calls: 100 })]);
  const partly = await isComplete();
  await putRollup(tenant, 'day', NOW, [aGroup('1', { calls: 6 })]);

  expect([before, partly, await isComplete()]).toEqual([false, false, true]);
});
