import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { closingsRead, periodsRead } from '../../../functions/entries/stores/chargeback/periods.ts';
import readAdoption from '../../../functions/insight/reports/getAdoptionReport.ts';
import readChanges from '../../../functions/insight/reports/getChangesReport.ts';
import readForecast from '../../../functions/insight/reports/getForecastReport.ts';
import readUnitCosts from '../../../functions/insight/reports/getUnitCostsReport.ts';
import readUsage from '../../../functions/insight/reports/getUsageReport.ts';
import { dismissalReader } from '../../../functions/insight/savings/dismissals/dismissal.store.ts';
import readSavings from '../../../functions/insight/savings/getSavingsReport.ts';
import type { TotalsLag } from '../../../functions/ledger/freshness/totalsLag.ts';
import { LENGTH, startOf } from '../../../functions/ledger/rollups/grain.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import { resultStore } from '../../../functions/platform/http/pages/result.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import type { RollupGrain } from '../../../schemas/ledger/rollup.ts';
import { caller, serve, type TestResponse } from '../../platform/http/harness.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { type Call, rollupReaderOf, team } from './calls.ts';
import { type PriceReaders, publishedPrices } from './prices.ts';

export const NOW = Date.parse('2026-05-14T10:37:00Z');
export const TODAY = startOf('day', NOW);

let live: LiveTables;
const NO_LAG: TotalsLag = { isStale: false, incompleteSince: null };
let lag = NO_LAG;

/** Runs while the totals lag behind. */
export const whileLagging = async <Result>(now: TotalsLag, run: () => Promise<Result>): Promise<Result> => {
  lag = now;
  try {
    return await run();
  } finally {
    lag = NO_LAG;
  }
};

let prices = publishedPrices;

/** Runs while tenants have these prices. */
export const whilePriced = async <Result>(own: PriceReaders, run: () => Promise<Result>): Promise<Result> => {
  prices = own;
  try {
    return await run();
  } finally {
    prices = publishedPrices;
  }
};

const stores = {
  tenants: {
    ...publishedPrices.tenants,
    contractPrices: (tenantId: string) => prices.tenants.contractPrices(tenantId),
  },
  loadedPrices: () => prices.loadedPrices(),
  rollups: rollupReader('rollups'),
  ...closingsRead('rollups'),
  ...periodsRead('rollups'),
  cursorKey: async () => new Uint8Array(32),
  results: resultStore('results', randomUUID),
  dismissals: dismissalReader('anomalies'),
  nodeHourLines: {
    list: async () => {
      throw new Error('only with read:attribution');
    },
  },
  indexLag: { totalsLag: async () => lag, areRecordsStale: async () => lag.isStale },
};
const operations = {
  usage: readUsage(stores),
  adoption: readAdoption(stores),
  forecast: readForecast(stores),
  changes: readChanges(stores),
  unitCosts: readUnitCosts(stores),
  savings: readSavings(stores),
};

/** Writes the rollups of these calls over those of others. */
export const writeCalls = async (
  tenant: Tenant,
  calls: readonly Call[],
  grains: readonly RollupGrain[] = ['hour', 'day'],
): Promise<void> => {
  const reader = rollupReaderOf(calls);
  const writer = rollupWriter('rollups');
  for (const grain of grains) {
    for (const rollup of await reader.read(tenant.tenant_id, { grain, from: 0, to: NOW + LENGTH.day })) {
      const revision = await writer.readRevision(tenant.tenant_id, grain, rollup.start);
      await writer.put(tenant.tenant_id, rollup, revision);
    }
  }
};

/** Creates a tenant with the rollups of these calls. */
export const tenantWith = async (calls: readonly Call[]): Promise<Tenant> => {
  const tenant = newTenant({ residency: ['eu', 'us'] });
  await writeCalls(tenant, calls);
  return tenant;
};

export const ask = (
  name: keyof typeof operations,
  tenant: Tenant,
  query: Record<string, string> = {},
  residency: string | null = null,
  scopes: readonly Scope[] = ['read:reporting'],
): Promise<TestResponse> => {
  const { route, run } = operations[name];
  return serve(
    route,
    run,
    { headers: { 'x-api-key': 'ask_good' }, query },
    {
      clock: () => NOW,
      authenticator: async () => ({ ...caller, tenant, residency, scopes: new Set(scopes) }),
    },
  );
};

const days = [TODAY - 2 * LENGTH.day, TODAY - LENGTH.day, TODAY];
export const busy: Call[] = days.flatMap((day) =>
  ['ads', 'search', 'legal'].flatMap((owner) =>
    team(owner, 6).map(
      (person): Call => ({ at: day + 9 * LENGTH.hour, person, owner, service: `${owner}-chat` }),
    ),
  ),
);

/** Starts the tables that the operations read. */
export const useReports = (): void => {
  beforeAll(async () => {
    live = await startTables();
  });
  afterAll(() => live.stop());
};
