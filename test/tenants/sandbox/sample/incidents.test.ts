import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { buildMapping } from '../../../../functions/attribution/mappings/mappingChanges.ts';
import {
  type CompiledMappings,
  compileMappings,
} from '../../../../functions/attribution/mappings/mappingRules.ts';
import { type Factors, loadFactors } from '../../../../functions/impact/factors.ts';
import { LENGTH, startOf } from '../../../../functions/ledger/rollups/grain.ts';
import { groupOf, sumGroups } from '../../../../functions/ledger/rollups/rollup.ts';
import { toIso } from '../../../../functions/platform/shared/time/toIso.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { liveTraffic } from '../../../../functions/tenants/sandbox/liveTraffic.ts';
import { sampleDataSet } from '../../../../functions/tenants/sandbox/sample/dataSet.ts';
import { incidentDay } from '../../../../functions/tenants/sandbox/sample/incidents.ts';
import { teamMappings } from '../../../../functions/tenants/sandbox/sample/teams.ts';
import { detectionRestarter } from '../../../../functions/tenants/sandbox/sampleTotals.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { Anomaly } from '../../../../schemas/insight/anomalies.ts';
import type { RollupGroup } from '../../../../schemas/ledger/rollup.ts';
import { SAMPLE_DAYS, SAMPLE_EVENTS } from '../../../../schemas/tenants/sandbox.ts';
import { type GroupsByHour, startDetection } from '../../../insight/anomalies/harness.ts';
import { type LiveTables, startTables } from '../../../support/tables.ts';
import { newTenant } from '../../../support/tenants.ts';

/** The longest that a reset takes, with its wait for totals. */
const RESET_MS = 20 * LENGTH.minute;

let live: LiveTables;
let factors: Factors;
let mappings: CompiledMappings;
beforeAll(async () => {
  live = await startTables();
  factors = await loadFactors();
  mappings = compileMappings(
    teamMappings.map((request, index) =>
      buildMapping(request, {
        id: `map_${index}`,
        position: index + 1,
        effectiveFrom: request.effective_from,
        at: 0,
        by: 'test',
      }),
    ),
  );
});
afterAll(() => live?.stop());

/** The totals by hour, as the service computes them from the events. */
const totalsOf = (tenant: Tenant, events: Iterable<InvocationEvent>): Map<number, RollupGroup[]> => {
  const byHour = new Map<number, RollupGroup[]>();
  for (const event of events) {
    const occurredAt = Date.parse(event.occurred_at ?? '');
    const metadata = { occurredAt, receivedAt: occurredAt, residency: null };
    const hour = startOf('hour', occurredAt);
    const group = groupOf(attribute(event, metadata, tenant, factors, { mappings }), {
      watched: new Set(),
      costAllocation: [],
    });
    byHour.set(hour, [...(byHour.get(hour) ?? []), group]);
  }
  return new Map([...byHour].map(([hour, groups]) => [hour, sumGroups(groups)]));
};

const restartDetection = detectionRestarter('jobs');

const dataSet = (now: number, seed: number): InvocationEvent[] => [
  ...sampleDataSet({ seed, events: SAMPLE_EVENTS, end: new Date(now), days: SAMPLE_DAYS }),
];

const summaryOf = ({ grain, dimension, value, residency, period, drivers }: Anomaly) => ({
  grain,
  entity: [dimension, value, residency],
  period,
  drivers: drivers.map((driver) => driver.value),
});

/** What the detector finds on the day of the incidents, and nothing else. */
const plannedAt = (now: number) => {
  const day = incidentDay(now);
  const period = { from: toIso(day), to: toIso(day + LENGTH.day) };
  const planned = (service: string, ...drivers: readonly string[]) => ({
    grain: 'day',
    entity: ['service', service, null],
    period,
    drivers,
  });
  return [
    planned('checkout-assistant', 'team-commerce', 'openai', 'gpt-4.1-2025-04-14'),
    planned('support-copilot', 'team-support', 'anthropic', 'claude-sonnet-4-5-20250929'),
  ];
};

const byEntity = (findings: readonly Anomaly[]) =>
  findings.map(summaryOf).sort((one, other) => (`${one.entity}` < `${other.entity}` ? -1 : 1));

// About 0.5 s each on a free machine, 2 s with a day of live traffic.
describe('the detector, after a reset', () => {
  it.each([
    ['on a Monday, after the weekend', '2026-05-25T09:12:00Z', 2],
    ['on the first day of a month', '2026-06-01T08:30:00Z', 1],
    ['just after midnight', '2026-05-21T00:00:30Z', 3],
    ['before the first hours end', '2026-05-21T03:59:59Z', 4],
    ['after the first hours', '2026-05-21T04:00:00Z', 1],
    ['on a Sunday evening', '2026-05-24T21:59:00Z', 5],
    ['when the detector runs once more before midnight', '2026-05-20T23:08:00Z', 1],
    ['when the detector runs next after midnight', '2026-05-20T23:12:00Z', 1],
    ['just before midnight', '2026-05-20T23:59:59Z', 2],
  ])('finds the incidents, and nothing else, %s', async (_, at, seed) => {
    const now = Date.parse(at);
    const tenant = newTenant();
    const events = dataSet(now, seed);
    const totals = totalsOf(tenant, events);
    let isLoaded = false;
    const loaded: GroupsByHour = (hour) => totals.get(hour) ?? [];
    const { detect, findings, through } = startDetection(() => (isLoaded ? loaded : () => []));

    // A run during the reset sees no calls, and takes the periods for evaluated.
    await detect(tenant, now + 5 * LENGTH.minute);
    isLoaded = true;
    await restartDetection(tenant);
    await through(tenant, now + RESET_MS, now + RESET_MS + 30 * LENGTH.hour);

    expect(events).toHaveLength(SAMPLE_EVENTS);
    expect(byEntity(await findings(tenant))).toEqual(plannedAt(now));
  });

  it('finds no anomaly in two days of live traffic', async () => {
    const now = Date.parse('2026-05-20T12:07:31Z');
    const tenant = newTenant();
    const minutes = Array.from({ length: 48 * 60 }, (_, index) => now + RESET_MS + index * LENGTH.minute);
    const totals = totalsOf(tenant, [...dataSet(now, 1), ...minutes.flatMap(liveTraffic)]);
    const loaded: GroupsByHour = (hour) => totals.get(hour) ?? [];
    const { findings, through } = startDetection(() => loaded);

    await restartDetection(tenant);
    await through(tenant, now + RESET_MS, now + 48 * LENGTH.hour);

    expect(byEntity(await findings(tenant))).toEqual(plannedAt(now));
  });
});

describe('the detector, an hour after a first start on one machine', () => {
  it.each(['2026-05-20T23:08:00Z', '2026-05-20T23:12:00Z', '2026-05-21T00:05:00Z'])(
    'finds the incidents, and nothing else, when it started at %s',
    async (at) => {
      const now = Date.parse(at);
      const tenant = newTenant();
      const totals = totalsOf(tenant, dataSet(now, 1));
      const loaded: GroupsByHour = (hour) => totals.get(hour) ?? [];
      const { detect, findings } = startDetection(() => loaded);

      for (const hours of [1, 2, 3]) await detect(tenant, now + hours * LENGTH.hour);

      expect(byEntity(await findings(tenant))).toEqual(plannedAt(now));
    },
  );
});
