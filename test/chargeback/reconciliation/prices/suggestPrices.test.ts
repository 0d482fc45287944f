import { describe, expect, it } from 'vitest';
import type { BilledDay } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import type { Rollup } from '../../../../schemas/ledger/rollup.ts';
import { aBill, MILLION, MODEL, type Row, suggest } from '../priceFixtures.ts';
import { aDay, aGroup } from '../rollupFixtures.ts';

const records = (day: string, input: number, output: number, cost: string, members: object = {}): Rollup =>
  aDay(day, [
    aGroup({
      served_model: MODEL,
      cost,
      tokens: { input_tokens: input, output_tokens: output },
      ...members,
    }),
  ]);
/** A million input and 200,000 output tokens, recorded at 2.50 and 10, billed at 2.125 and 8.50. */
const DAY = '2026-04-02';
const recorded = records(DAY, MILLION, 200_000, '4.5');
const billed = (input = '2.125', output = '1.7'): Row[] => [
  ['input', MILLION, input],
  ['output', 200_000, output],
];

describe('a suggested price', () => {
  it('is the price of the bill, from the first day that was recorded at another cost', () => {
    const rollups = [
      records('2026-04-01', 10, 10, '0'),
      recorded,
      records('2026-04-03', 2 * MILLION, 0, '5'),
    ];
    const bills = [aBill(DAY, billed()), aBill('2026-04-03', [['input', 2 * MILLION, '4.25']])];

    expect(suggest(rollups, bills)).toEqual([
      {
        price: {
          provider: 'openai',
          model: MODEL,
          from: '2026-04-02T00:00:00Z',
          input: '2.125',
          output: '8.5',
          source: 'Bills from 2026-04-02 until before 2026-04-04',
        },
        overridden_in: [],
        evidence: {
          from: '2026-04-02',
          to: '2026-04-04',
          days: 2,
          tokens: [
            { kind: 'input', count: 3 * MILLION, billed_usd: '6.375' },
            { kind: 'output', count: 200_000, billed_usd: '1.7' },
          ],
          billed_usd: '8.075',
          recorded_usd: '9.5',
          unpriced_invocations: 0,
        },
      },
    ]);
  });

  it('names the model without its snapshot when the records have several snapshots', () => {
    const group = { served_model: 'gpt-4o-2024-11-20', tokens: { input_tokens: MILLION }, cost: '2.5' };
    const both = aDay(DAY, [aGroup(group), aGroup({ ...group, served_model: MODEL })]);

    expect(suggest([both], [aBill(DAY, [['input', 2 * MILLION, '4']])])).toMatchObject([
      { price: { model: 'gpt-4o', input: '2' } },
    ]);
  });

  it('starts on the earliest day of its evidence, in whatever order the days come', () => {
    const rollups = ['2026-04-05', '2026-04-03', '2026-04-04'].map((day) => records(day, MILLION, 0, '2.5'));
    const bills = rollups.map(({ start }) =>
      aBill(new Date(start).toISOString().slice(0, 10), [['input', MILLION, '2.25']]),
    );

    expect(suggest(rollups, bills)).toMatchObject([
      {
        price: { from: '2026-04-03T00:00:00Z' },
        evidence: { from: '2026-04-03', to: '2026-04-06', days: 3 },
      },
    ]);
  });

  it('ignores rows of nothing, credits, and days without a bill or without tokens', () => {
    const bill = aBill(DAY, [...billed(), [null, 0, '0'], ['cached_input', 0, '0']]);
    const credit = { cost: '-9', usage: false, end: 0, at: 1 };
    const fee = records('2026-04-03', 0, 0, '5');

    expect(suggest([recorded, fee], [{ ...bill, rows: [...bill.rows, credit] }])).toMatchObject([
      { price: { input: '2.125' }, evidence: { days: 1, billed_usd: '3.825', recorded_usd: '4.5' } },
    ]);
  });

  it('is one of at most fifty', () => {
    const names = Array.from({ length: 51 }, (_, index) => `model-of-our-own-${index}x`);
    const day = aDay(
      DAY,
      names.map((served_model) => aGroup({ served_model, cost: '1', tokens: { input_tokens: MILLION } })),
    );
    const bills = names.map((name) => aBill(DAY, [['input', MILLION, '2.5']], name));

    expect(suggest([day], bills)).toHaveLength(50);
  });

  it('is made for calls of unknown price', () => {
    const unpriced = records(DAY, MILLION, 200_000, '0', { unpriced: 1 });

    expect(suggest([unpriced], [aBill(DAY, billed())])).toMatchObject([
      { price: { input: '2.125', output: '8.5' }, evidence: { recorded_usd: '0', unpriced_invocations: 1 } },
    ]);
  });

  it('counts cached tokens and reasoning as the kind that contains them, unless the bill names them', () => {
    const tokens = { cached_input_tokens: 400_000, cache_write_tokens: 100_000, reasoning_tokens: 50_000 };
    const all = { input_tokens: MILLION, output_tokens: 200_000, ...tokens };
    const day = aDay(DAY, [aGroup({ served_model: MODEL, cost: '4.5', tokens: all })]);
    const apart: Row[] = [
      ['input', 500_000, '1'],
      ['cached_input', 400_000, '0.2000'],
      ['cache_write', 100_000, '0.25000'],
      ['output', 150_000, '1.2000'],
      ['reasoning', 50_000, '0.6000'],
    ];

    expect(suggest([day], [aBill(DAY, billed())])).toMatchObject([
      { price: { input: '2.125', output: '8.5' } },
    ]);
    expect(suggest([day], [aBill(DAY, apart)])).toMatchObject([
      { price: { input: '2', cached_input: '0.5', cache_write: '2.5', output: '8', reasoning: '12' } },
    ]);
  });

  it('has the largest difference first', () => {
    const mini = records(DAY, MILLION, 0, '0.15', { served_model: 'gpt-4o-mini' });
    const day = aDay(DAY, [...recorded.groups, ...mini.groups]);
    const bills = [aBill(DAY, [['input', MILLION, '9']], 'gpt-4o-mini'), aBill(DAY, billed())];

    expect(suggest([day], bills).map(({ price }) => price.model)).toEqual(['gpt-4o-mini', MODEL]);
  });

  it('is not made from calls of several days that suppression counts on one', () => {
    const tokens = { input_tokens: MILLION };
    const persons = (count: number) =>
      Array.from({ length: count }, (_, index) => `person-${count}-${index}`);
    const days = [4, 6].map((count, index) =>
      aDay(`2026-04-0${index + 2}`, [aGroup({ cost: '2.5', persons: persons(count), tokens })]),
    );
    const bills = ['2026-04-02', '2026-04-03'].map((day) => aBill(day, [['input', MILLION, '2']]));

    expect(suggest(days.slice(1), bills.slice(1))).toHaveLength(1);
    expect(suggest(days, bills)).toEqual([]);
  });

  it.each<[string, Rollup, readonly BilledDay[]]>([
    ['the bill has no quantities', recorded, [aBill(DAY, [[null, 0, '3.825']])]],
    ['one row of the bill has no quantity', recorded, [aBill(DAY, [...billed(), [null, 0, '0.01']])]],
    ['the cost is as billed', recorded, [aBill(DAY, billed('2.5', '2'))]],
    ['the difference is the rounding of the bill', recorded, [aBill(DAY, billed('2.51', '2'))]],
    ['fewer tokens were recorded', records(DAY, MILLION - 1, 200_000, '4.5'), [aBill(DAY, billed())]],
    ['more tokens were recorded', records(DAY, MILLION, 200_001, '4.5'), [aBill(DAY, billed())]],
    ['only the input is billed', recorded, [aBill(DAY, [['input', MILLION, '2.125']])]],
    ['the records have no bill', recorded, []],
    ['the bill has no records', records(DAY, 0, 0, '0', { served_model: 'o3' }), [aBill(DAY, billed())]],
    [
      'the bill has two prices on a day',
      recorded,
      [aBill(DAY, [...billed().slice(1), ['input', 500_000, '1'], ['input', 500_000, '1.125']])],
    ],
    [
      'the bill has another price on another day',
      recorded,
      [aBill(DAY, billed()), aBill('2026-04-03', [['input', MILLION, '2.5']])],
    ],
    ['the bill charges for no tokens', recorded, [aBill(DAY, [...billed(), ['cached_input', 0, '1']])]],
    ['tokens are free', recorded, [aBill(DAY, [...billed(), ['input', 1, '0']])]],
    [
      'no contract price can be so high',
      records(DAY, 1_000, 0, '4.5'),
      [aBill(DAY, [['input', 1_000, '1000000']])],
    ],
    [
      'the model is a pattern of a contract price',
      records(DAY, MILLION, 0, '4.5', { served_model: 'own-*' }),
      [aBill(DAY, [['input', MILLION, '2.125']], 'own-*')],
    ],
    [
      'no name of a model covers all names of the records',
      aDay(
        DAY,
        ['gpt-35-turbo', 'gpt-3.5-turbo'].map((served_model) =>
          aGroup({ served_model, cost: '2', tokens: { input_tokens: MILLION } }),
        ),
      ),
      [aBill(DAY, [['input', 2 * MILLION, '2']], 'gpt-3-5-turbo')],
    ],
    [
      'the calls name no model',
      records(DAY, MILLION, 200_000, '4.5', { served_model: '' }),
      [aBill(DAY, billed(), '')],
    ],
    ['a charge is negative', recorded, [aBill(DAY, [...billed(), ['input', MILLION, '-2.125']])]],
    [
      'the amounts are too small to tell a price',
      records(DAY, 900, 0, '0.002'),
      [aBill(DAY, [['input', 900, '0.02']])],
    ],
    [
      'a contract price has too few digits for it',
      recorded,
      [
        aBill(DAY, [
          ['input', MILLION, '2.1234567'],
          ['output', 200_000, '1.7'],
        ]),
      ],
    ],
    [
      'fewer than five persons hide the model',
      aDay(
        DAY,
        ['gpt-4o', 'o3'].map((served_model) =>
          aGroup({
            served_model,
            cost: '4.5',
            persons: ['a1', 'a2', 'a3'].map((hash) => `${served_model}${hash}`),
            tokens: { input_tokens: MILLION, output_tokens: 200_000 },
          }),
        ),
      ),
      [aBill(DAY, billed())],
    ],
  ])('is not made when %s', (_, rollup, bills) => {
    expect(suggest([rollup], bills)).toEqual([]);
  });
});
