import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohortsOf } from '../../functions/cohorts/cohorts.ts';
import { assessImpact } from '../../functions/impact/impact.ts';
import { contractPriceSource } from '../../functions/impact/price/contractPrices.ts';
import { type BilledDay, sumOf } from '../../functions/reconciliation/bill.ts';
import { blocksOf } from '../../functions/reconciliation/blocks.ts';
import { suggestPrices } from '../../functions/reconciliation/suggestPrices.ts';
import { decimal } from '../../functions/shared/decimal.ts';
import type { ContractPrice } from '../../schemas/attribution/contractPrices.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import type { SuggestedPrice, TokenKind } from '../../schemas/suggestedPrices.ts';
import { anEvent } from '../attribution/events.ts';
import { aDay, aGroup } from './rollupFixtures.ts';

const MODEL = 'gpt-4o-2024-08-06';
const MILLION = 1_000_000;

type Row = readonly [kind: TokenKind | null, count: number, cost: string];
const aBill = (day: string, rows: readonly Row[], model = 'gpt-4o'): BilledDay => ({
  provider: 'openai',
  model,
  day,
  rows: Object.fromEntries(
    rows.map(([kind, count, cost], index) => [
      `row-${index}`,
      { cost, usage: true, end: Date.parse(day), at: 1, ...(kind && { tokens: { kind, count } }) },
    ]),
  ),
});
const records = (day: string, input: number, output: number, cost: string, members: object = {}): Rollup =>
  aDay(day, [
    aGroup({
      served_model: MODEL,
      cost,
      tokens: { input_tokens: input, output_tokens: output },
      ...members,
    }),
  ]);
const suggest = (rollups: readonly Rollup[], bills: readonly BilledDay[]): SuggestedPrice[] => {
  const days = rollups.map((rollup) => ({ start: rollup.start, rollups: [rollup] }));
  return suggestPrices(blocksOf(cohortsOf('acme', days), bills, new Map()));
};

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

describe('a suggested price that is applied', () => {
  const kinds: readonly TokenKind[] = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'];
  /** A price per million with up to six digits. */
  const unitPrice = fc
    .integer({ min: 100_000, max: 99_999_999 })
    .map((units) => decimal(String(units)).div('1000000').toFixed());
  const prices = fc.record(
    {
      input: unitPrice,
      output: unitPrice,
      cached_input: unitPrice,
      cache_write: unitPrice,
      reasoning: unitPrice,
    },
    { requiredKeys: ['input', 'output'] },
  );
  const count = fc.integer({ min: 1, max: 50 * MILLION });
  const calls = fc.array(
    fc.record({ uncached: count, cached: count, written: count, visible: count, reasoning: count }),
    { minLength: 1, maxLength: 4 },
  );
  type Calls = readonly Readonly<
    Record<'uncached' | 'cached' | 'written' | 'visible' | 'reasoning', number>
  >[];
  const entryOf = (unitPrices: Partial<Record<TokenKind, string>>, from: string): ContractPrice => ({
    provider: 'openai',
    model: 'gpt-4o',
    from,
    ...unitPrices,
  });

  const recordAt = (list: readonly ContractPrice[], day: string, all: Calls): Rollup => {
    const factors = { version: 'test', prices: contractPriceSource([...list]) };
    const groups = all.map(({ uncached, cached, written, visible, reasoning }) => {
      const tokens = {
        input_tokens: uncached + cached + written,
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: visible + reasoning,
        reasoning_tokens: reasoning,
      };
      const event = anEvent({ provider: 'openai', served_model: MODEL, ...tokens });
      const { cost } = assessImpact(event, new Date(day), factors);
      return aGroup({
        served_model: MODEL,
        cost: cost?.central ?? '0',
        unpriced: cost === null ? 1 : 0,
        tokens,
      });
    });
    return aDay(day, groups);
  };
  const billAt = (
    unitPrices: Partial<Record<TokenKind, string>>,
    day: string,
    all: Calls,
    digits: number,
  ): BilledDay => {
    const own = new Map(kinds.map((kind) => [kind, 0]));
    const add = (kind: TokenKind, container: TokenKind, tokens: number) => {
      const counted = unitPrices[kind] === undefined ? container : kind;
      own.set(counted, (own.get(counted) ?? 0) + tokens);
    };
    for (const { uncached, cached, written, visible, reasoning } of all) {
      add('input', 'input', uncached);
      add('cached_input', 'input', cached);
      add('cache_write', 'input', written);
      add('output', 'output', visible);
      add('reasoning', 'output', reasoning);
    }
    const rows = [...own].flatMap(([kind, tokens]): Row[] => {
      const cost = decimal(unitPrices[kind] ?? '0')
        .times(String(tokens))
        .div('1000000');
      return tokens === 0 ? [] : [[kind, tokens, cost.round(digits).toFixed()]];
    });
    return aBill(day, rows);
  };
  const costOf = ({ groups }: Rollup) => sumOf(groups.map(({ figures }) => figures.cost_usd.central));
  const billedOf = ({ rows }: BilledDay) => sumOf(Object.values(rows).map(({ cost }) => cost));

  it('makes the difference vanish up to the rounding of the bill, and is not suggested again', () => {
    const ofDays = fc.array(calls, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(prices, prices, ofDays, fc.integer({ min: 2, max: 12 }), (listed, agreed, all, digits) => {
        const list = [entryOf(listed, '2026-01-01T00:00:00Z')];
        const dayOf = (index: number) => `2026-04-0${index + 1}`;
        const bills = all.map((ofDay, index) => billAt(agreed, dayOf(index), ofDay, digits));
        const rollups = all.map((ofDay, index) => recordAt(list, dayOf(index), ofDay));

        const [suggestion] = suggest(rollups, bills);
        // Whole prices up to 100 USD, so twelve digits always show the price.
        if (digits >= 9) expect(suggestion?.price).toMatchObject(agreed);
        if (suggestion === undefined) return;

        const after = all.map((ofDay, index) => recordAt([...list, suggestion.price], dayOf(index), ofDay));
        const unit = decimal(`0.${'0'.repeat(digits)}5`);
        for (const [index, rollup] of after.entries()) {
          const bill = bills[index] ?? aBill('2026-04-01', []);
          const tolerance = unit.plus('0.000000001').times(String(Object.keys(bill.rows).length));
          if (bill.day < suggestion.evidence.from) continue;
          expect(decimal(billedOf(bill)).minus(costOf(rollup)).abs().lte(tolerance)).toBe(true);
        }
        expect(suggest(after, bills)).toEqual([]);
      }),
    );
  });
});
