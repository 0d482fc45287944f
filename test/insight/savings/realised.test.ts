import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idleNodes } from '../../../functions/insight/savings/idleNodes.ts';
import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import type { Saving } from '../../../schemas/insight/savings.ts';
import type { Call } from '../reports/calls.ts';
import { find, NOVEMBER, OCTOBER, PERIOD, service, suggestionsFor } from './suggestions.ts';

type Members = Parameters<typeof service>[1];
type Kind = Saving['saving'];

/** What is known about a kind of suggestion about `chat`, of calls before and now. */
const realisedOf = async (
  kind: Kind,
  before: readonly Members[],
  now: readonly Members[],
  period = PERIOD,
) => {
  const calls = (some: readonly Members[], at: number): Call[] =>
    some.flatMap((members) => service('chat', { ...members, at }));
  const savings = await suggestionsFor(
    [...calls(before, OCTOBER.from), ...calls(now, NOVEMBER.from)],
    period,
  );
  return savings.filter(({ saving }) => saving === kind).map(({ realised }) => realised);
};

// gpt-5: 1.25 USD per million of input, .125 cached, 10 of output.
const long = { model: 'gpt-5', input: 1_000_000, output: 10_000, cost: '1.35' };
const nightly = { ...long, pathway: 'batch_pipeline' as const };
// gpt-4.1: 2 USD per million of input, 8 of output. gpt-6-luna, which replaces it: .1 and .5.
const old = {
  model: 'gpt-4.1-2025-04-14',
  input: 1_000_000,
  output: 50_000,
  cost: '2.4',
  invocations: 1_000,
};
const other = { model: 'gpt-6-luna', input: 1_000_000, output: 50_000, cost: '.125', invocations: 1_000 };
const none: readonly Members[] = [];

/** A part of calls: all sums are divided alike. */
const partOf = (calls: Members, percent: number): Members => ({
  ...calls,
  invocations: ((calls.invocations ?? 100) * percent) / 100,
  input: ((calls.input ?? 0) * percent) / 100,
  cached: ((calls.cached ?? 0) * percent) / 100,
  output: ((calls.output ?? 0) * percent) / 100,
  cost: String(Number(((Number(calls.cost) * percent) / 100).toFixed(9))),
});
const failing = (percent: number, times = 1): Members[] => [
  { ...partOf(long, times * 100), invocations: times * (1_000 - 10 * percent), cost: String(times * 9) },
  ...(percent === 0
    ? []
    : [
        {
          ...partOf(long, times * 100),
          status: 'error' as const,
          invocations: times * 10 * percent,
          cost: String(times * percent),
        },
      ]),
];

describe('what a suggestion has saved since', () => {
  it.each<[string, Kind, Members[], Members[], string, string]>([
    // 400,000 tokens for 1.125 millionths less, at the list price and at half of it.
    ['cached input', 'prompt_caching', [long], [{ ...long, cached: 400_000, cost: '.45' }], '0.225', '0.45'],
    ['as much cached input', 'prompt_caching', [long], [long], '0', '0'],
    // 1.35 at the list price, now at .75 of it. A contract lowers the price as batches do.
    ['batches', 'batch', [nightly], [{ ...nightly, cost: '1.0125' }], '0', '0.3375'],
    ['all calls as batches', 'batch', [nightly], [{ ...nightly, cost: '.675' }], '0', '0.675'],
    ['the same price', 'batch', [nightly], [nightly], '0', '0'],
    // The 900 calls of the other model would have cost 2.16, or as many tokens divided by 1.35, and cost .1125.
    [
      'another model for nine of ten calls',
      'replacement_model',
      [old],
      [partOf(old, 10), partOf(other, 90)],
      '1.4875',
      '2.0475',
    ],
    ['another model for all calls', 'replacement_model', [old], [other], '1.652777777778', '2.275'],
    ['the same model', 'replacement_model', [old], [old, other], '0', '0'],
    // 10 % of 1,000 calls failed, for .1 each, and 2 % fail now.
    ['fewer failed calls', 'failed_calls', failing(10), failing(2), '8', '8'],
    ['as many failed calls', 'failed_calls', failing(5), failing(5), '0', '0'],
  ])('is known with %s', async (_, kind, before, now, low, high) => {
    expect(await realisedOf(kind, before, now)).toMatchObject([
      { low_usd: low, high_usd: high, unknown: null },
    ]);
  });

  it.each<[string, Kind, readonly Members[], Members[], string]>([
    ['no calls before', 'prompt_caching', none, [long], 'too_few_earlier_calls'],
    ['few calls before', 'batch', [{ ...nightly, invocations: 99 }], [nightly], 'too_few_earlier_calls'],
    ['no calls of the model before', 'replacement_model', none, [old], 'too_few_earlier_calls'],
    ['calls that no other model took over', 'replacement_model', [old], [partOf(old, 50)], 'volume_changed'],
    [
      'more calls that came than moved',
      'replacement_model',
      [old],
      [partOf(old, 90), other],
      'volume_changed',
    ],
    ['a cost before that is unknown', 'prompt_caching', [{ ...long, cost: null }], [long], 'unpriced_calls'],
    [
      'a status that was not read',
      'failed_calls',
      [{ ...long, status: null }],
      failing(5),
      'unexamined_calls',
    ],
  ])('is unknown with %s', async (_, kind, before, now, unknown) => {
    expect(await realisedOf(kind, before, now)).toMatchObject([{ low_usd: null, high_usd: null, unknown }]);
  });

  it('is unknown for batches if a list price changed', async () => {
    // 10 USD per million of input then, and 2 now.
    const o3 = { ...nightly, model: 'o3', cost: '2.08' };
    const starts = [new Date('2024-06-01'), new Date(NOVEMBER.from)];

    expect(await realisedOf('batch', [o3], [o3], { ...PERIOD, starts })).toMatchObject([
      { unknown: 'price_changed' },
    ]);
  });

  it('is unknown for a group with a hidden name', async () => {
    const hidden = [OCTOBER.from, NOVEMBER.from].flatMap((at) =>
      service('secret', { ...long, invocations: 500, at }).map((call, index) => ({
        ...call,
        service: `secret-${index}`,
      })),
    );
    const savings = (await suggestionsFor(hidden)).filter(({ kind }) => kind !== 'group');

    expect(savings.length).toBeGreaterThan(0);
    expect(savings.map(({ realised }) => realised.unknown)).toEqual(savings.map(() => 'hidden_calls'));
  });

  it.each<[string, Kind, Members[], Members[]]>([
    ['cached calls', 'prompt_caching', [long], [long, { ...long, cached: 900_000, cost: '.3375' }]],
    ['calls that ended well', 'failed_calls', failing(10), [...failing(10), ...failing(0)]],
  ])('is nothing for certain if more %s of another kind came', async (_, kind, before, now) => {
    const [realised] = await realisedOf(kind, before, now);

    expect(realised).toMatchObject({ low_usd: '0', unknown: null });
    expect(Number(realised?.high_usd)).toBeGreaterThan(0);
  });

  it('is nothing, or unknown, if only the number of calls changes', async () => {
    const all = { ...nightly, cached: 100_000, cost: '1.2375' };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        async (then, now) => {
          const calls = (times: number): Members[] => [
            partOf(all, times * 100),
            partOf(old, times * 10),
            ...failing(5, times),
          ];
          const kinds = ['prompt_caching', 'batch', 'replacement_model', 'failed_calls'] as const;
          for (const kind of kinds) {
            for (const { high_usd, unknown } of await realisedOf(kind, calls(then), calls(now)))
              expect([kind, unknown === null ? high_usd : '0']).toEqual([kind, '0']);
          }
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('what fewer idle nodes have saved since', () => {
  const line = (cost: string, used: string, members: Partial<NodeHourLine> = {}): NodeHourLine => ({
    pool: 'h100',
    hour: '2026-11-02T00:00:00.000Z',
    cost_usd: cost,
    charged_usd: used,
    idle_usd: String(Number(cost) - Number(used)),
    busy: 'busy_time',
    measure: 'tokens',
    calls: 3,
    unmeasured_calls: 0,
    as_of: '2026-11-02T02:00:00.000Z',
    ...members,
  });
  const sameLengths = { ...PERIOD, lengths: { before: 1, now: 1 } };

  it.each<[string, NodeHourLine[], NodeHourLine[], object]>([
    ['a smaller pool for the same use', [line('10', '4')], [line('7', '4')], { low_usd: '3', high_usd: '3' }],
    ['no pool', [line('10', '4')], [], { low_usd: '0', high_usd: '6' }],
    ['more use of the same pool', [line('10', '4')], [line('10', '7')], { low_usd: '0', high_usd: '0' }],
    [
      'half of the pool for half of the use',
      [line('10', '4')],
      [line('5', '2')],
      { low_usd: '0', high_usd: '3' },
    ],
    ['a larger pool', [line('10', '4')], [line('12', '4')], { low_usd: '0', high_usd: '0' }],
    ['no hours before', [], [line('10', '4')], { low_usd: null, unknown: 'too_few_earlier_calls' }],
    [
      'calls without a duration',
      [line('10', '10', { busy: 'whole_hour' })],
      [line('10', '4')],
      { unknown: 'unexamined_calls' },
    ],
  ])('says what follows from %s', (_, before, now, expected) => {
    expect(idleNodes(now, before, sameLengths).map(({ realised }) => realised)).toMatchObject([expected]);
  });

  it('compares periods of other lengths by the day', () => {
    const twice = { ...PERIOD, lengths: { before: 2, now: 1 } };

    expect(idleNodes([line('10', '4')], [line('20', '8')], twice)[0]?.realised).toMatchObject({
      high_usd: '0',
    });
  });
});

it('suggests nothing about failed calls that cost less than a hundredth of all', async () => {
  const calls = failing(0.05, 20).flatMap((members) => service('chat', members));

  expect(find(await suggestionsFor(calls), 'failed_calls', 'chat')).toBeUndefined();
});

it('suggests nothing about calls that all ended well', async () => {
  expect(find(await suggestionsFor(service('chat', long)), 'failed_calls', 'chat')).toBeUndefined();
});
