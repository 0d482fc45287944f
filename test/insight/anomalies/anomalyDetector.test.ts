import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findingReader } from '../../../functions/insight/anomalies/anomaly.store.ts';
import { hashOfPerson } from '../../../functions/ledger/records/person.ts';
import { LENGTH, type RollupRange, startOf } from '../../../functions/ledger/rollups/grain.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Anomaly } from '../../../schemas/insight/anomalies.ts';
import { type Fault, injectFaults } from '../../identity/credentials/faultInjection.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { aGroup } from '../budgets/rollupFixtures.ts';
import { type GroupsByHour, startDetection } from './harness.ts';

/** A Wednesday. */
const NOON = Date.parse('2026-05-20T12:00:00Z');
const AFTER = NOON + LENGTH.hour + 11 * LENGTH.minute;
const MIDNIGHT = startOf('day', NOON) + LENGTH.day;

const live = await startTables();
const faults = injectFaults();
afterAll(() => live.stop());

const persons = (count: number): string[] => Array.from({ length: count }, (_, index) => `person-${index}`);

/** Three services of three owners at 10 USD an hour each. `plant` returns factors on the cost of an hour, by service. */
const trafficWith =
  (plant: (hour: number) => Readonly<Record<string, number>>): GroupsByHour =>
  (hour) =>
    ['ads', 'mail', 'search'].map((name) =>
      aGroup(String(10 * (plant(hour)[name] ?? 1)), {
        owner: `team-${name}`,
        service: name,
        served_model: name === 'mail' ? 'gpt-4o' : 'claude',
        calls: 100,
      }),
    );
const named = (finding: Anomaly) => [finding.grain, finding.dimension, finding.value];
const raisedEvents = (tenant: Tenant) => live.eventsOf(tenant);

const detectAt = async (traffic: GroupsByHour, ...instants: readonly number[]) => {
  const tenant = newTenant();
  const { detect, findings } = startDetection(() => traffic);
  for (const now of instants) await detect(tenant, now);
  return { tenant, findings: await findings(tenant), events: await raisedEvents(tenant) };
};

it.each([
  ['does not read', '0.99', false],
  ['reads', '1', true],
])(
  '%s the history of an hour that cost %s USD, when 1 USD is the smallest excess',
  async (_, usd, isRead) => {
    const ranges: RollupRange[] = [];
    const { detect } = startDetection(
      () => (hour) => (hour === NOON ? [aGroup(usd)] : []),
      (range) => ranges.push(range),
    );

    await detect(newTenant(), AFTER);

    expect(ranges.some(({ from }) => from < NOON - 2 * LENGTH.day)).toBe(isRead);
  },
);

it('keeps when it last looked, also when it found nothing', async () => {
  const reader = findingReader('anomalies');
  const { tenant_id: before } = newTenant();
  const { tenant } = await detectAt(
    trafficWith(() => ({})),
    NOON,
    AFTER,
  );

  expect(await reader.evaluatedAt(before)).toBeNull();
  expect(await reader.evaluatedAt(tenant.tenant_id)).toBe(new Date(AFTER).toISOString());
});

describe('an anomalous hour', () => {
  it('creates one finding with range, score and drivers, and raises one event', async () => {
    const spike = trafficWith((hour) => (hour === NOON ? { search: 8 } : {}));

    const { findings, events } = await detectAt(spike, AFTER);

    const [finding] = findings;
    expect(findings).toHaveLength(1);
    expect(finding).toMatchObject({
      grain: 'hour',
      dimension: 'service',
      value: 'search',
      residency: null,
      detected_at: new Date(AFTER).toISOString(),
      period: { from: '2026-05-20T12:00:00.000Z', to: '2026-05-20T13:00:00.000Z' },
      observed_usd: '80',
      observed_by_owner_state: { confirmed: '80' },
      expected_usd: { central: '10' },
      drivers: [
        { dimension: 'owner', value: 'team-search', share: 1 },
        { dimension: 'provider', value: 'openai', share: 1 },
        { dimension: 'served_model', value: 'claude', share: 1 },
      ],
    });
    const { id, updated_at: _, ...rest } = finding ?? { id: '', updated_at: '' };
    expect(events).toMatchObject([{ type: 'anomaly.detected', data: { anomaly_id: id, ...rest } }]);
  });

  it('is reported for the tenant when all services together are anomalous', async () => {
    const spike = trafficWith((hour) => (hour === NOON ? { ads: 2.03, mail: 2.03, search: 2.03 } : {}));

    const { findings } = await detectAt(spike, AFTER);

    expect(findings.map(named)).toEqual([['hour', 'tenant', null]]);
  });

  it('is reported once, ten minutes after its end', async () => {
    const spike = trafficWith((hour) => (hour === NOON ? { search: 8 } : {}));
    const end = NOON + LENGTH.hour;

    const early = await detectAt(spike, end + 9 * LENGTH.minute);
    const often = await detectAt(spike, end + 9 * LENGTH.minute, AFTER, AFTER, AFTER + LENGTH.minute);

    expect(early.findings).toEqual([]);
    expect([often.findings.length, often.events.length]).toEqual([1, 1]);
  });

  it('is extended by the following anomalous hours across a gap, without another event', async () => {
    const hours = [0, 1, 3].map((index) => NOON + index * LENGTH.hour);
    const spike = trafficWith((hour) => (hours.includes(hour) ? { search: hour === hours[1] ? 9 : 8 } : {}));

    const { findings, events } = await detectAt(
      spike,
      ...Array.from({ length: 6 }, (_, index) => AFTER + index * LENGTH.hour),
    );

    expect(events).toHaveLength(1);
    expect(findings).toMatchObject([
      {
        period: { from: '2026-05-20T12:00:00.000Z', to: '2026-05-20T16:00:00.000Z' },
        observed_usd: '250',
        observed_by_owner_state: { confirmed: '250' },
        expected_usd: { central: '30' },
      },
    ]);
  });

  it('creates a second finding after a longer gap', async () => {
    const spike = trafficWith((hour) => ([NOON, NOON + 4 * LENGTH.hour].includes(hour) ? { search: 8 } : {}));
    const instants = Array.from({ length: 6 }, (_, index) => AFTER + index * LENGTH.hour);

    expect((await detectAt(spike, ...instants)).events).toHaveLength(2);
  });

  it('is reported after an outage of the detector', async () => {
    const spike = trafficWith((hour) => (hour === NOON ? { search: 8 } : {}));

    const { findings } = await detectAt(spike, AFTER - 5 * LENGTH.hour, AFTER + 9 * LENGTH.hour);

    expect(findings.map(named)).toEqual([['hour', 'service', 'search']]);
  });
});

describe('an anomalous day', () => {
  it('creates a finding only when no hour of the day was reported', async () => {
    const today = startOf('day', NOON);
    const slow = trafficWith((hour) => (startOf('day', hour) === today ? { search: 2 } : {}));
    const spike = trafficWith((hour) => (hour === NOON ? { search: 60 } : {}));
    const nextDay = MIDNIGHT + 11 * LENGTH.minute;

    const [drifted, spiked] = [await detectAt(slow, nextDay), await detectAt(spike, AFTER, nextDay)];

    expect(drifted.findings.map(named)).toEqual([['day', 'service', 'search']]);
    expect(spiked.findings.map(named)).toEqual([['hour', 'service', 'search']]);
  });

  it('raises the expected level of the following hours', async () => {
    const today = startOf('day', NOON);
    const level = (later: number) =>
      trafficWith((hour) => ({ search: hour === MIDNIGHT + LENGTH.hour ? later : hour >= today ? 2 : 1 }));
    const instants = [MIDNIGHT + 11 * LENGTH.minute, MIDNIGHT + 2 * LENGTH.hour + 11 * LENGTH.minute];

    const kinds = async (later: number) => (await detectAt(level(later), ...instants)).findings.map(named);

    expect(await kinds(3)).toEqual([['day', 'service', 'search']]);
    expect(await kinds(20)).toEqual([
      ['day', 'service', 'search'],
      ['hour', 'service', 'search'],
    ]);
  });
});

describe('k-anonymity of findings', () => {
  /** An owner and service of `own` persons with a spike, beside calls of `others` persons. */
  const cohort =
    (own: number, others: number, owner = 'team-search'): GroupsByHour =>
    (hour) => [
      aGroup(hour === NOON ? '80' : '10', { owner, calls: 100, persons: persons(own) }),
      aGroup('100', {
        owner: 'rest',
        service: 'rest',
        calls: 100,
        persons: persons(own + others).slice(own),
      }),
    ];

  it.each([
    [0, 0, 'service'],
    [5, 0, 'service'],
    [0, 5, 'service'],
    [5, 5, 'service'],
    [4, 5, undefined],
    [1, 0, undefined],
    [5, 4, undefined],
    [0, 1, undefined],
  ])(
    'for %i persons with %i other persons in the rest, names the dimension %s',
    async (own, others, dimension) => {
      const { findings } = await detectAt(cohort(own, others), AFTER);

      expect(findings.find((one) => one.value !== null)?.dimension).toBe(dimension);
    },
  );

  it('reports nothing about an excess of two persons, not even for the tenant', async () => {
    const spike: GroupsByHour = (hour) => [
      aGroup(hour === NOON ? '900' : '10', { calls: 100, persons: persons(2) }),
      aGroup('100', { owner: 'rest', service: 'rest', calls: 100 }),
    ];

    const { findings, events } = await detectAt(spike, AFTER);

    expect([findings, events]).toEqual([[], []]);
  });

  it('reports nothing about an hour in which one person was the only caller', async () => {
    const [alone = '', ...others] = persons(6);
    const spike: GroupsByHour = (hour) =>
      hour === NOON
        ? [aGroup('900', { calls: 100, persons: [alone] })]
        : [aGroup('10', { calls: 100, persons: [alone, ...others] })];

    const { findings } = await detectAt(spike, AFTER);

    expect(findings).toEqual([]);
  });

  it('reports the calls of one person together with those of five others, under the labels they share', async () => {
    const [alone = '', ...others] = persons(6);
    const spike: GroupsByHour = (hour) =>
      hour === NOON
        ? [
            aGroup('900', { calls: 100, persons: [alone, ...others] }),
            aGroup('70', { owner: 'small', service: 'small', calls: 10, persons: [alone] }),
          ]
        : [aGroup('10', { calls: 100, persons: [alone, ...others] })];

    const { findings } = await detectAt(spike, AFTER);

    expect(findings.map(named)).toEqual([['hour', 'served_model', 'gpt-4o']]);
    expect(findings).toMatchObject([{ observed_usd: '970' }]);
  });

  it('never names an owner that is a person', async () => {
    const tenant = newTenant();
    const ann = hashOfPerson(tenant.tenant_id, 'ann@example.org');
    const traffic: GroupsByHour = (hour) => [
      aGroup(hour === NOON ? '80' : '10', {
        owner: 'ann@example.org',
        service: null,
        calls: 100,
        // A model also attributed calls of other persons to this owner.
        persons: [ann, ...persons(6)],
      }),
      aGroup('10', { owner: 'rest', service: 'rest', served_model: 'claude', calls: 100 }),
    ];
    const { detect, findings } = startDetection(() => traffic);

    await detect(tenant, AFTER);

    const found = await findings(tenant);
    expect(found).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain('ann@');
  });
});

it('evaluates each residency lane separately', async () => {
  const spike: GroupsByHour = (hour) => [
    aGroup(hour === NOON ? '80' : '10', { residency: 'eu', calls: 100 }),
    aGroup('1000', { residency: 'us', calls: 100 }),
  ];

  const { findings } = await detectAt(spike, AFTER);

  expect(findings.map(({ residency }) => residency)).toEqual(['eu']);
});

it('reports nothing for a tenant without calls', async () => {
  const { findings, events } = await detectAt(() => [], AFTER);

  expect([findings, events]).toEqual([[], []]);
});

it('records the other findings of a period when one cannot be recorded, and that one in the next run', async () => {
  const spike = trafficWith((hour): Record<string, number> => (hour === NOON ? { search: 8, mail: 9 } : {}));
  const tenant = newTenant();
  const { detect, findings } = startDetection(() => spike);
  void faults.arm({ write: 0, moment: 'before', kind: 'fails' });

  await expect(detect(tenant, AFTER)).rejects.toThrow();
  faults.restart();
  expect(await findings(tenant)).toHaveLength(1);

  await detect(tenant, AFTER);
  expect((await findings(tenant)).map(({ value }) => value).sort()).toEqual(['mail', 'search']);
});

it('raises each finding once and counts each hour once despite faults and concurrent runs', async () => {
  const hours = [0, 1].map((index) => NOON + index * LENGTH.hour);
  const spike = trafficWith(
    (hour): Record<string, number> => (hours.includes(hour) ? { search: 8, mail: 9 } : {}),
  );
  const fault = fc.record<Fault>({
    write: fc.nat({ max: 4 }),
    moment: fc.constantFrom('before', 'after'),
    kind: fc.constantFrom('fails', 'dies', 'repeats'),
  });
  const step = fc.record({ fault: fc.option(fault), concurrentRuns: fc.integer({ min: 1, max: 2 }) });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      const tenant = newTenant();
      const { detect, findings } = startDetection(() => spike);
      for (const now of [AFTER, AFTER + LENGTH.hour]) {
        for (const { fault: injected, concurrentRuns } of steps) {
          if (injected !== null) void faults.arm(injected);
          await Promise.allSettled(Array.from({ length: concurrentRuns }, () => detect(tenant, now)));
          faults.restart();
        }
        await detect(tenant, now);
      }

      const found = await findings(tenant);

      expect(found.map(({ observed_usd }) => observed_usd).sort()).toEqual(['160', '180']);
      expect((await raisedEvents(tenant)).map(({ data }) => data['value']).sort()).toEqual([
        'mail',
        'search',
      ]);
    }),
    { numRuns: 15 },
  );
});

describe('a spike whose totals are late', () => {
  type Visible = (now: number) => number;
  const endPlus = (minutes: number): number => NOON + LENGTH.hour + minutes * LENGTH.minute;
  /** The part of the spike that the totals hold, as a factor on the usual cost of the hour. Null: no call of the hour. */
  const scenes: readonly [string, Visible, number[]][] = [
    ['is reported when they arrive before the hour is evaluated', () => 8, [NOON]],
    ['is reported when they are 45 minutes late', (now) => (now >= endPlus(45) ? 8 : 0), [NOON]],
    ['is reported when half of them is a day late', (now) => (now >= endPlus(24 * 60) ? 8 : 1), [NOON]],
    ['is not reported when they never arrive', () => 1, []],
  ];

  /** Traffic with this factor in the hour. Made once each, because the harness sums the periods of each function once. */
  const spikes = new Map<number, GroupsByHour>();
  const spikeOf = (factor: number): GroupsByHour => {
    const usual = trafficWith((hour) => (hour === NOON ? { search: factor } : {}));
    const spike: GroupsByHour =
      spikes.get(factor) ?? ((hour) => (hour === NOON && factor === 0 ? [] : usual(hour)));
    spikes.set(factor, spike);
    return spike;
  };

  it.each(scenes)('%s', async (_, visible, expected) => {
    const tenant = newTenant();
    let now = 0;
    const { detect, findings } = startDetection(() => spikeOf(visible(now)));

    for (let at = NOON - LENGTH.hour; at <= NOON + 28 * LENGTH.hour; at += LENGTH.hour) {
      now = at + 11 * LENGTH.minute;
      await detect(tenant, now);
    }

    const found = (await findings(tenant)).filter(({ grain }) => grain === 'hour');
    expect(found.map(({ period }) => Date.parse(period.from))).toEqual(expected);
    expect(await raisedEvents(tenant)).toHaveLength(expected.length);
  });

  it('is not judged by a part of them while the rest is known to be on its way', async () => {
    const tenant = newTenant();
    let isLoaded = false;
    const { detect, findings } = startDetection(
      () => spikeOf(isLoaded ? 8 : 1.1),
      undefined,
      ({ from, to }) => isLoaded || !(from <= NOON && NOON < to),
    );
    await detect(tenant, NOON - LENGTH.hour);
    await detect(tenant, AFTER);
    isLoaded = true;
    await detect(tenant, AFTER + LENGTH.minute);

    expect((await findings(tenant)).map(named)).toEqual([['hour', 'service', 'search']]);
  });

  it('is a finding of its own, once, when a later hour of the series was reported before it', async () => {
    const LATER = NOON + 6 * LENGTH.hour;
    const tenant = newTenant();
    let isLate = true;
    const [before, after] = [[LATER], [NOON, LATER]].map((hours) =>
      trafficWith((hour) => ({ search: hours.includes(hour) ? 8 : 1 })),
    );
    const { detect, findings } = startDetection(() => (isLate ? before : after) ?? (() => []));
    await detect(tenant, AFTER);
    await detect(tenant, AFTER + 6 * LENGTH.hour);
    isLate = false;
    await detect(tenant, AFTER + 8 * LENGTH.hour);
    await detect(tenant, AFTER + 9 * LENGTH.hour);

    const found = (await findings(tenant)).filter(({ grain }) => grain === 'hour');
    expect(found.map(({ period }) => Date.parse(period.from))).toEqual([NOON, LATER]);
    expect(await raisedEvents(tenant)).toHaveLength(2);
  });
});
