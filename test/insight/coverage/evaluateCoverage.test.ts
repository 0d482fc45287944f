import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { coverageEvaluator } from '../../../functions/insight/coverage/evaluateCoverage.ts';
import { SLOT_MS } from '../../../functions/insight/coverage/timeSlot.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import { CoverageMap } from '../../../schemas/insight/coverage.ts';
import { type Fault, injectFaults } from '../../identity/credentials/faultInjection.ts';
import { NOW, startCoverageHarness } from './harness.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let tenant: Tenant;

const world = await startCoverageHarness();
const watch = coverageEvaluator(world);
const faults = injectFaults();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
  world.time.now = NOW;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

interface HeartbeatOptions {
  readonly layer?: string;
  readonly system?: string;
  readonly pathway?: PathwayCategory;
  readonly residency?: string;
}

const recordHeartbeat = (
  at: number,
  { layer = 'gateway', system, pathway = 'gateway_mediated', residency = 'eu' }: HeartbeatOptions = {},
) =>
  world.heartbeats.add(
    tenant.tenant_id,
    {
      pathway_category: pathway,
      ingestion_layer: layer,
      source_system: system ?? null,
      residency,
    },
    Math.floor(at / SLOT_MS) * SLOT_MS,
  );

const mapOf = async (residency?: string): Promise<CoverageMap> => {
  const { status, text, body } = await world.call('getCoverage', {
    tenant,
    ...(residency !== undefined && { residency }),
  });
  expect(status, text).toBe(200);
  return CoverageMap.parse(body);
};
const raisedTransitions = async () =>
  (await world.eventsOf(tenant)).map(({ type, data }) => [type, data['previous'], data['state']]);

/** Activity every four hours for fifteen days up to now, which gives a silence threshold of six hours. */
const recordRegularHeartbeats = async () => {
  const slots = Array.from({ length: 15 * 6 }, (_, index) => NOW - index * 4 * HOUR);
  await Promise.all(slots.map((at) => recordHeartbeat(at)));
};

describe('GET /coverage', () => {
  it('returns no pathways for a tenant without data', async () => {
    expect(await mapOf()).toMatchObject({ as_of: new Date(NOW).toISOString(), pathways: [], connectors: [] });
    expect(await raisedTransitions()).toEqual([]);
  });

  it('returns the layers and source systems of a pathway with first and last activity', async () => {
    await recordHeartbeat(NOW - 2 * DAY, { system: 'litellm' });
    await recordHeartbeat(NOW - HOUR);
    await recordHeartbeat(NOW - DAY, { layer: 'proxy' });

    const { pathways } = await mapOf();

    expect(pathways).toMatchObject([
      {
        pathway_category: 'gateway_mediated',
        state: 'active',
        since: '2026-05-01T12:00:00.000Z',
        expected: [],
        missing: [],
        layers: [
          {
            ingestion_layer: 'gateway',
            status: 'live',
            first_seen: '2026-04-29T12:00:00.000Z',
            last_seen: '2026-05-01T11:00:00.000Z',
            source_systems: [
              { source_system: null, last_seen: '2026-05-01T11:00:00.000Z' },
              { source_system: 'litellm', last_seen: '2026-04-29T12:00:00.000Z' },
            ],
          },
          { ingestion_layer: 'proxy', last_seen: '2026-04-30T12:00:00.000Z' },
        ],
      },
    ]);
  });

  it('raises one event when a pathway degrades and one when it is restored', async () => {
    await recordRegularHeartbeats();
    await watch(tenant, NOW);
    for (const hours of [5, 6, 7, 8]) await watch(tenant, NOW + hours * HOUR);
    world.time.now = NOW + 8 * HOUR;
    const silent = await mapOf();
    await recordHeartbeat(NOW + 9 * HOUR);
    for (const hours of [9, 10, 11]) await watch(tenant, NOW + hours * HOUR);

    expect(silent.pathways).toMatchObject([
      { state: 'degraded', since: '2026-05-01T19:00:00.000Z', layers: [{ silence_allowed_seconds: 21_600 }] },
    ]);
    const events = await world.eventsOf(tenant);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      [
        'coverage.degraded',
        {
          pathway_category: 'gateway_mediated',
          previous: 'active',
          state: 'degraded',
          missing: [],
          last_seen: '2026-05-01T12:00:00.000Z',
        },
      ],
      [
        'coverage.restored',
        {
          pathway_category: 'gateway_mediated',
          previous: 'degraded',
          state: 'active',
          missing: [],
          last_seen: '2026-05-01T21:00:00.000Z',
        },
      ],
    ]);
  });

  it('reports a pathway as lost after a long silence, without a second event', async () => {
    await recordRegularHeartbeats();
    for (const hours of [0, 7, 30, 60 * 24]) await watch(tenant, NOW + hours * HOUR);
    world.time.now = NOW + 60 * DAY;

    const { pathways } = await mapOf();

    expect(pathways).toMatchObject([{ state: 'lost', layers: [] }]);
    expect(await raisedTransitions()).toEqual([['coverage.degraded', 'active', 'degraded']]);
  });

  it('raises one event under concurrent evaluations', async () => {
    await recordRegularHeartbeats();
    await watch(tenant, NOW);

    await Promise.all(Array.from({ length: 8 }, () => watch(tenant, NOW + 7 * HOUR)));

    expect(await raisedTransitions()).toHaveLength(1);
  });

  it('returns only the data of the lane of the credential, and stores no state for it', async () => {
    await recordHeartbeat(NOW - HOUR, { residency: 'eu' });
    await recordHeartbeat(NOW - HOUR, { residency: 'us', layer: 'proxy' });

    const lanes = [await mapOf('eu'), await mapOf('us')];

    expect(lanes.map(({ pathways }) => pathways.map(({ layers }) => layers[0]?.ingestion_layer))).toEqual([
      ['gateway'],
      ['proxy'],
    ]);
    expect(lanes[0]?.pathways[0]?.since).toBeNull();
    expect(await world.coverage.states(tenant.tenant_id)).toEqual([]);
  });
});

describe('PUT /coverage/expectations', () => {
  const expectLayers = (layers: string[], key?: string) =>
    world.call('putCoverageExpectations', {
      tenant,
      body: { expectations: [{ pathway_category: 'gateway_mediated', layers }] },
      ...(key !== undefined && { key }),
    });

  it('degrades a pathway while an expected layer is missing, and restores it afterwards', async () => {
    await recordHeartbeat(NOW);
    await watch(tenant, NOW - 2 * HOUR);
    const answer = await expectLayers(['gateway', 'proxy']);

    const without = await mapOf();
    await recordHeartbeat(NOW, { layer: 'proxy' });
    world.time.now += 2 * HOUR;
    const complete = await mapOf();

    expect(answer.status, answer.text).toBe(200);
    expect(without.pathways).toMatchObject([
      { state: 'degraded', expected: ['gateway', 'proxy'], missing: ['proxy'] },
    ]);
    expect(complete.pathways).toMatchObject([{ state: 'active', missing: [] }]);
    expect((await raisedTransitions()).map(([type]) => type)).toEqual([
      'coverage.degraded',
      'coverage.restored',
    ]);
    // Reads of the map are audited too, once an hour.
    const entries = await world.auditOf(tenant);
    expect(entries.filter(({ action }) => action !== 'records.read')).toMatchObject([
      { action: 'coverage.expectations', outcome: 'succeeded', resource: tenant.tenant_id },
    ]);
  });

  it('shows expected pathways without data, and replaces all expectations at once', async () => {
    await expectLayers(['gateway']);
    const before = await mapOf();
    const read = await world.call('getCoverageExpectations', { tenant });
    await world.call('putCoverageExpectations', { tenant, body: { expectations: [] } });

    expect(read.body).toEqual({
      expectations: [{ pathway_category: 'gateway_mediated', layers: ['gateway'] }],
    });
    expect((await world.call('getCoverageExpectations', { tenant })).body).toEqual({ expectations: [] });
    expect(before.pathways).toMatchObject([{ state: 'not_seen', missing: ['gateway'], layers: [] }]);
    expect((await mapOf()).pathways).toEqual([]);
  });

  it.each([
    [{ expectations: [{ pathway_category: 'nothing', layers: ['x'] }] }, '/expectations/0/pathway_category'],
    [{ expectations: [{ pathway_category: 'unknown', layers: [] }] }, '/expectations/0/layers'],
    [{ expectations: [{ pathway_category: 'unknown', layers: ['x', 'x'] }] }, '/expectations/0/layers'],
    [{ expectations: Array(2).fill({ pathway_category: 'unknown', layers: ['x'] }) }, '/expectations'],
  ])('returns 422 for the expectations %o', async (body, pointer) => {
    const answer = await world.call('putCoverageExpectations', { tenant, body });

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });
});

it.each(
  (['before', 'after'] as const).flatMap((moment) =>
    (['fails', 'dies', 'repeats'] as const).map((kind): Fault => ({ write: 0, moment, kind })),
  ),
)('raises one event for a state change after the fault %o', async (fault) => {
  await recordRegularHeartbeats();
  await watch(tenant, NOW);
  void faults.arm(fault);
  await watch(tenant, NOW + 7 * HOUR).catch(() => undefined);
  faults.restart();

  await watch(tenant, NOW + 8 * HOUR);

  expect(await raisedTransitions()).toEqual([['coverage.degraded', 'active', 'degraded']]);
});
