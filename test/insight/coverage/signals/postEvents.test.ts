import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { CoverageMap } from '../../../../schemas/insight/coverage.ts';
import { type Fault, injectFaults } from '../../../identity/credentials/faultInjection.ts';
import type { TestResponse } from '../../../platform/http/harness.ts';
import { startCoverageHarness } from '../harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let tenant: Tenant;

const world = await startCoverageHarness();
const faults = injectFaults();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  // Flushes the buffered counts of earlier tests.
  world.time.now += MINUTE;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const ago = (milliseconds: number): string => new Date(world.time.now - milliseconds).toISOString();

const anEvent = (members: Record<string, unknown> = {}) => ({
  specversion: '1.0',
  id: randomUUID(),
  source: '/casb/emea',
  type: 'com.example.reloaded',
  ...members,
});
const aSignal = (data: Record<string, unknown> = {}, members: Record<string, unknown> = {}) =>
  anEvent({
    type: 'discovery.signal',
    data: {
      source: 'casb',
      provider: 'openai',
      pathway_category: 'embedded_saas',
      first_seen: ago(2 * DAY),
      last_seen: ago(DAY),
      ...data,
    },
    ...members,
  });
const health = (status: string, members: Record<string, unknown> = {}) =>
  anEvent({ type: 'connector.health', data: { connector: 'litellm-eu', status }, ...members });

const send = (body: unknown, more: { type?: string; residency?: string; key?: string } = {}) =>
  world.call('postEvents', { tenant, body, ...more });
const coverageOf = async (residency?: string): Promise<CoverageMap> =>
  CoverageMap.parse(
    (await world.call('getCoverage', { tenant, ...(residency !== undefined && { residency }) })).body,
  );
const countsOf = async () =>
  Object.fromEntries(await world.counted.between(tenant.tenant_id, world.time.now - DAY, world.time.now));
const pointersOf = ({ errors }: Record<string, unknown>) =>
  (Array.isArray(errors) ? errors : []).map(({ pointer }) => pointer);

describe('a discovery signal', () => {
  it('adds its pathway to coverage as discovered, not as captured', async () => {
    const answer = await send(aSignal(), { type: 'application/cloudevents+json' });

    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toMatchObject({ accepted: 1, rejected: 0, results: [{ status: 'accepted' }] });
    expect((await coverageOf()).pathways).toEqual([
      {
        pathway_category: 'embedded_saas',
        state: 'discovery_only',
        since: expect.any(String),
        layers: [],
        expected: [],
        missing: [],
        discovered: [{ source: 'casb', provider: 'openai', first_seen: ago(2 * DAY), last_seen: ago(DAY) }],
      },
    ]);
    expect(await countsOf()).toEqual({ signals_discovery: 1 });
  });

  it('extends the known period, for any order of signals', async () => {
    await send([
      aSignal({ first_seen: ago(3 * DAY), last_seen: ago(2 * DAY) }),
      aSignal({ first_seen: ago(DAY), last_seen: ago(MINUTE) }),
    ]);
    await send(aSignal({ first_seen: ago(9 * DAY), last_seen: ago(8 * DAY) }));
    await send(aSignal({ source: 'dns' }));

    const [pathway] = (await coverageOf()).pathways;

    expect(pathway?.discovered).toHaveLength(2);
    expect(pathway?.discovered).toContainEqual({
      source: 'casb',
      provider: 'openai',
      first_seen: ago(9 * DAY),
      last_seen: ago(MINUTE),
    });
  });

  it('is counted once by source and id, and a second event with them has no effect', async () => {
    const signal = aSignal({}, { id: 'one' });

    await send(signal);
    await send([signal, signal]);
    const answer = await send(aSignal({ provider: 'anthropic' }, { id: 'one' }));
    await send(aSignal({ provider: 'mistral' }, { id: 'one', source: '/dns' }));
    world.time.now += MINUTE;
    await send([]);

    expect(answer.status).toBe(202);
    const [pathway] = (await coverageOf()).pathways;
    expect(pathway?.discovered.map(({ provider }) => provider).sort()).toEqual(['mistral', 'openai']);
    expect(await countsOf()).toMatchObject({ signals_discovery: 2 });
  });

  it('is removed after 30 days without another signal', async () => {
    await send(aSignal());
    world.time.now += 30 * DAY;

    const { pathways } = await coverageOf();

    expect(pathways).toEqual([]);
  });

  it('belongs to the lane of the credential that sent it', async () => {
    tenant = world.newTenant({ residency: ['eu', 'us'] });
    await send(aSignal(), { residency: 'us' });

    const [eu, us, all] = [await coverageOf('eu'), await coverageOf('us'), await coverageOf()];

    expect([eu, us, all].map(({ pathways }) => pathways.length)).toEqual([0, 1, 1]);
  });
});

describe('connector health', () => {
  it('shows the newest report of each connector for any order of arrival', async () => {
    await send([health('failed', { time: ago(2 * MINUTE) }), health('healthy', { time: ago(5 * MINUTE) })]);
    await send(health('degraded', { time: ago(3 * MINUTE) }));

    expect((await coverageOf()).connectors).toEqual([
      { connector: 'litellm-eu', status: 'failed', reported_at: ago(2 * MINUTE) },
    ]);
  });

  const changes = async () =>
    (await world.eventsOf(tenant)).map(({ type, data }) => [type, data['previous'], data['status']]);

  it('publishes one event for each change despite repeated reports', async () => {
    for (const [status, minutes] of [
      ['healthy', 9],
      ['degraded', 8],
      ['degraded', 7],
      ['failed', 6],
      // A late report of an older status publishes no event.
      ['healthy', 7.5],
      ['healthy', 5],
    ] as const) {
      world.time.now += 1;
      const report = health(status, { time: ago(minutes * MINUTE) });
      await Promise.all([send(report), send(report)]);
      await send(report);
    }

    expect(await changes()).toEqual([
      ['connector.health.changed', 'healthy', 'degraded'],
      ['connector.health.changed', 'degraded', 'failed'],
      ['connector.health.changed', 'failed', 'healthy'],
    ]);
    expect((await world.eventsOf(tenant)).at(-1)?.data).toEqual({
      connector: 'litellm-eu',
      previous: 'failed',
      status: 'healthy',
      reported_at: ago(5 * MINUTE),
      residency: null,
    });
  });

  it('publishes an event for a new connector only when it is not healthy', async () => {
    await send(health('healthy'));
    await send(health('failed', { data: { connector: 'other', status: 'failed' } }));

    expect(await changes()).toEqual([['connector.health.changed', null, 'failed']]);
  });

  it('publishes one event for a change that concurrent requests report', async () => {
    await send(health('healthy', { time: ago(MINUTE) }));

    await Promise.all(Array.from({ length: 8 }, () => send(health('degraded', { time: ago(1_000) }))));

    expect(await changes()).toEqual([['connector.health.changed', 'healthy', 'degraded']]);
  });

  it.each<Fault>([
    { write: 1, moment: 'before', kind: 'dies' },
    { write: 1, moment: 'after', kind: 'dies' },
    { write: 2, moment: 'before', kind: 'dies' },
    { write: 2, moment: 'after', kind: 'dies' },
    { write: 2, moment: 'after', kind: 'repeats' },
  ])('publishes one event when the process $kind $moment write $write', async (fault) => {
    await send(health('healthy', { time: ago(2 * MINUTE) }));
    const report = health('failed', { time: ago(MINUTE) });
    void faults.arm(fault);
    await send(report);
    faults.restart();

    await send(report);

    expect(await changes()).toEqual([['connector.health.changed', 'healthy', 'failed']]);
    expect((await coverageOf()).connectors).toMatchObject([{ status: 'failed' }]);
  });
});

describe('an event of any other type', () => {
  it('is stored without prompt or completion content, and counted', async () => {
    const canary = `kanarie-${randomUUID()}`;
    const longText = `${canary} `.repeat(10);

    const answer = await send(
      anEvent({
        messages: [canary],
        data_base64: Buffer.from(canary).toString('base64'),
        data: {
          reloaded: 3,
          host: 'gateway-1',
          prompt: canary,
          notes: longText,
          parts: [{ text: canary, size: 1 }, longText],
          nested: { gen_ai: { 'gen_ai.input.messages': canary }, [canary.repeat(3)]: 1 },
        },
      }),
    );

    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toMatchObject({
      results: [
        {
          scrubbed: [
            'data.nested.gen_ai.gen_ai.input.messages',
            'data.parts.text',
            'data.prompt',
            'messages',
          ],
        },
      ],
    });
    const rows = await world.everything('signals');
    expect(rows).toContain('gateway-1');
    expect(rows).not.toContain('kanarie');
    expect(rows).not.toContain(Buffer.from(canary).toString('base64'));
    expect(await countsOf()).toMatchObject({ signals_other: 1, dropped_members: 4 });
  });

  it.each([
    ['ai.inference.complete.v1', 'ai.inference.completed.v1'],
    ['ai.inference.completed.v2', 'ai.inference.completed.v1'],
    ['discovery.signl', 'discovery.signal'],
    ['connector.heath', 'connector.health'],
    ['com.example.reloaded', undefined],
  ])('%s is stored, with a warning that names %s', async (type, suggestion) => {
    const { status, body } = await send(anEvent({ type }));

    expect(status).toBe(202);
    const warning = { pointer: '/type', detail: expect.any(String), suggestion };
    const [result] = Object(body).results;
    expect(result.warnings).toEqual(suggestion === undefined ? undefined : [warning]);
  });

  it.each(['a text', 7, null, ['x'.repeat(128)].concat(Array(99).fill('x'.repeat(128)))])(
    'is accepted with data %o',
    async (data) => {
      expect(await send(anEvent({ data }))).toMatchObject({ status: 202, body: { accepted: 1 } });
    },
  );
});

describe('a batch of events', () => {
  it('returns a result for each event in order, and rejects only invalid events', async () => {
    const events = [
      aSignal(),
      { ...aSignal(), specversion: '0.3' },
      aSignal({ source: 'rumour' }),
      aSignal({ first_seen: ago(0), last_seen: ago(DAY) }),
      aSignal({ last_seen: ago(-20 * MINUTE) }),
      anEvent({ time: ago(-20 * MINUTE) }),
      anEvent({ tenant_id: 'globex' }),
      anEvent({ id: 7 }),
      'nothing',
      anEvent(),
    ];

    const { status, body } = await send(events, { type: 'application/cloudevents-batch+json' });

    expect(status).toBe(202);
    const results = Array.isArray(body['results']) ? body['results'] : [];
    expect(body).toMatchObject({ accepted: 2, rejected: 8 });
    expect(results.map(({ index }) => index)).toEqual(events.map((_, index) => index));
    expect(results.map((result) => pointersOf(result))).toEqual([
      [],
      ['/specversion'],
      ['/data/source'],
      ['/data/last_seen'],
      ['/data/last_seen'],
      ['/time'],
      ['/tenant_id'],
      ['/id'],
      [''],
      [],
    ]);
  });

  it('is accepted when empty and rejected with more than 1,000 events', async () => {
    const refused = await send(Array(1_001).fill(anEvent()));

    expect(await send([])).toMatchObject({ status: 202, body: { accepted: 0, results: [] } });
    expect(refused).toMatchObject({ status: 422, body: { error_code: 'VALIDATION_FAILED' } });
  });
});

it('returns 422 for a single invalid event', async () => {
  const answer: TestResponse = await send(aSignal({ provider: 7 }));

  expect(answer).toMatchObject({ status: 422, body: { error_code: 'VALIDATION_FAILED' } });
  expect(pointersOf(answer.body)).toEqual(['/data/provider']);
});

it.each(['text/plain', 'application/cloudevents', 'application/cloudevents+json; charset=utf-16'])(
  'returns 415 for the media type %s',
  async (type) => {
    expect(await send(anEvent(), { type })).toMatchObject({ status: 415 });
  },
);
