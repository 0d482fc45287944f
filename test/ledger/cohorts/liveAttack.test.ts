import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { billReader } from '../../../functions/chargeback/reconciliation/deliveries/bill.store.ts';
import getReconciliation from '../../../functions/chargeback/reconciliation/getReconciliation.ts';
import { billSourceReader } from '../../../functions/chargeback/reconciliation/sources/billSource.store.ts';
import { nodeHoursRead } from '../../../functions/entries/stores/attribution.ts';
import { closingsRead, periodsRead } from '../../../functions/entries/stores/chargeback/periods.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { anomalyDetectionStore, findingReader } from '../../../functions/insight/anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../../functions/insight/anomalies/anomalyDetector.ts';
import listAnomalies from '../../../functions/insight/anomalies/listAnomalies.ts';
import { muteStore } from '../../../functions/insight/anomalies/mutes/mute.store.ts';
import { budgetReader, budgetWriter } from '../../../functions/insight/budgets/budget.store.ts';
import createBudget from '../../../functions/insight/budgets/createBudget.ts';
import listBudgets from '../../../functions/insight/budgets/listBudgets.ts';
import getUsageReport from '../../../functions/insight/reports/getUsageReport.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { NO_ROLLUP } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { resultStore } from '../../../functions/platform/http/pages/result.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { tenantReader } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type ExportHarness, startExportHarness } from '../../chargeback/exports/harness.ts';
import { followerOf } from '../../insight/anomalies/harness.ts';
import { type Call, rollupReaderOf, team } from '../../insight/reports/calls.ts';
import { breaches, runDifferencingAttack } from '../../insight/reports/differencingAttack.ts';
import { publishedPrices } from '../../insight/reports/prices.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';

const MORNING = Date.parse('2026-10-30T09:00:00Z');
const HOURS = [MORNING, MORNING + LENGTH.hour];
const BASELINE_DAYS = 10;
/** A team of five, which can be named, and two teams of four, which would be shown if four were enough. */
const persons = [
  ...team('ads', 5).map((person) => ({ person, owner: 'ads', service: 'ranking' })),
  ...team('lab', 4).map((person) => ({ person, owner: 'lab', service: 'probe' })),
  ...team('ops', 4).map((person) => ({
    person,
    owner: 'ops',
    service: 'notes',
    provider: 'anthropic',
    lane: 'eu',
  })),
];
/** Call i costs 2^i USD, so each sum identifies its calls. */
const calls: readonly Call[] = HOURS.flatMap((at) => persons.map((one) => ({ ...one, at }))).map(
  (call, index) => ({ ...call, cost: String(2 ** index) }),
);
/** Earlier calls give anomalies an expected cost. Together they cost less than 1 USD, so they change no bit. */
const baseline: readonly Call[] = Array.from({ length: BASELINE_DAYS }, (_, day) =>
  team('ads', 5).map((person) => ({
    person,
    owner: 'ads',
    service: 'ranking',
    at: MORNING - (day + 1) * LENGTH.day,
    cost: '0.001',
  })),
).flat();

let world: ExportHarness;
let tenant: Tenant;
beforeAll(async () => {
  world = await startExportHarness();
  tenant = world.newTenant();
  const reader = rollupReaderOf([...calls, ...baseline]);
  for (const grain of ['hour', 'day'] as const) {
    for (const rollup of await reader.read(tenant.tenant_id, { grain, from: 0, to: world.time.now })) {
      await world.rollups.put(tenant.tenant_id, rollup, NO_ROLLUP);
    }
  }
});
afterAll(() => world?.live.stop());

/** The sums of calls in amounts of USD. */
const bitsOf = (amounts: readonly unknown[]): number[] =>
  amounts.map((amount) => Math.floor(Number(amount))).filter((sum) => sum > 0);

/** All amounts in USD in a response, except ceilings and expected costs. */
const amountsIn = (value: unknown): unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
        /^(cost_usd|attributed_usd|unattributed_usd|mixed_usd|not_billed_usd|period_to_date_usd|observed_usd|excluded_cost_usd)$/.test(
          name,
        )
          ? [member]
          : amountsIn(member),
      );

const storesOf = () => ({
  audit: auditLog('audit'),
  rollups: rollupReader('rollups'),
  ...closingsRead('rollups'),
  ...periodsRead('rollups'),
  ...nodeHoursRead('rollups'),
  bills: billReader('bills'),
  billSources: billSourceReader('billSources'),
  budgets: budgetReader('budgets'),
  budgetWriter: budgetWriter('budgets'),
  findings: findingReader('anomalies'),
  mutes: muteStore('anomalies'),
  requestTotalsCheck: async () => undefined,
  requestEvaluation: async () => undefined,
  outbox: outbox('outbox'),
  cursorKey: async () => new Uint8Array(32),
  results: resultStore('results', randomUUID),
  tenants: tenantReader('tenants'),
  loadedPrices: publishedPrices.loadedPrices,
  indexLag: {
    totalsLag: async () => ({ isStale: false, incompleteSince: null }),
    areRecordsStale: async () => false,
  },
});

it('cannot isolate one to four of thirteen persons through the operations on a real engine', async () => {
  const stores = storesOf();
  const ask = async (operation: BoundOperation, sent: Omit<TenantRequest, 'tenant'>): Promise<number[]> => {
    const { status, body, text } = await callAsTenant(
      operation,
      { tenant, ...sent },
      { scopes: ['admin:config', 'read:reporting'], clock: world.clock },
    );
    expect(status, text).toBeLessThan(300);
    return bitsOf(amountsIn(body));
  };
  const exportOf = async (body: object): Promise<number[]> => {
    const started = await world.call('create', { tenant, body: { file_format: 'csv', ...body } }, [
      'export:create',
    ]);
    expect(started.status, started.text).toBe(202);
    const id = String(started.body['job_id']);
    await world.run({ tenant_id: tenant.tenant_id, job_id: id });
    const rows = [...world.filesOf(id).values()].flatMap((file) =>
      file.toString('utf8').trim().split(/\r?\n/).slice(1),
    );
    const job = await world.call('get', { tenant, id }, ['export:create']);
    return [...bitsOf(rows), ...bitsOf(amountsIn(job.body))];
  };

  const usage = getUsageReport(stores);
  const [report, comparison] = [{ from: '2026-10-30', to: '2026-10-31' }, getReconciliation(stores)];
  for (const body of [
    { name: 'All', ceiling_usd: '1', period: 'rolling_30d' },
    { name: 'Ads', ceiling_usd: '1', period: 'rolling_30d', scope: { owner: 'ads' } },
    { name: 'X', ceiling_usd: '1', period: 'rolling_30d', scope: { provider: 'openai' } },
  ])
    await ask(createBudget(stores), { body });
  const detect = anomalyDetector({
    ...stores,
    anomalies: anomalyDetectionStore('anomalies'),
    follow: followerOf(stores.rollups),
  });
  for (const grain of ['hour', 'day'] as const)
    await detect(tenant, grain, MORNING + LENGTH.hour + 11 * LENGTH.minute);

  const sums = {
    reports: [
      ...(await ask(usage, { query: report })),
      ...(await ask(usage, { query: { ...report, group_by: 'owner,hour' } })),
      ...(await ask(usage, { query: { ...report, to: '2026-10-30T09:15:00Z', group_by: 'service' } })),
      ...(await ask(usage, { query: { ...report, group_by: 'provider' } })),
    ],
    reconciliation: await ask(comparison, { query: { ...report, group_by: 'provider,day' } }),
    budgets: await ask(listBudgets(stores), {}),
    exports: [
      ...(await exportOf({ period: report, granularity: 'hour', columns: ['BilledCost'] })),
      ...(await exportOf({
        period: { ...report, to: '2026-10-30T09:15:00Z' },
        group_by: ['provider'],
        columns: ['BilledCost'],
      })),
    ],
    anomalies: await ask(listAnomalies(stores), {}),
  };
  const atoms = await runDifferencingAttack(
    world.rollups,
    Object.values(sums).map((some) => async () => some),
  );

  for (const some of Object.values(sums)) expect(some.length).toBeGreaterThan(0);
  expect(breaches(calls, atoms)).toEqual([]);
});
