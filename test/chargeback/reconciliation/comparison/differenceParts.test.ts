import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  differenceParts,
  noParts,
} from '../../../../functions/chargeback/reconciliation/comparison/differenceParts.ts';
import { recordedTokens } from '../../../../functions/chargeback/reconciliation/comparison/recordedTokens.ts';
import type { TierRules } from '../../../../functions/chargeback/reconciliation/comparison/tierEffect.ts';
import type { BilledRow } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { rulesWith } from '../../../../functions/impact/price/rules/loadedRules.ts';
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { PriceObject } from '../../../../schemas/attribution/loadedPrices.ts';
import { type TokenKind, tokenKinds } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { MILLION } from '../priceFixtures.ts';
import { aCohortOf } from '../rollupFixtures.ts';

type Row = readonly [kind: TokenKind | null, count: number, cost: string, tier?: string | undefined];

const toRow = ([kind, count, cost, tier]: Row): BilledRow => ({
  cost,
  usage: true,
  end: 0,
  at: 1,
  ...(kind && { tokens: { kind, count } }),
  ...(tier !== undefined && { tier }),
});

interface Recorded {
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  readonly cost: string;
  readonly invocations?: number;
}

const PUBLISHED: TierRules = { rules: rulesWith(null), at: new Date('2026-11-20') };

/** The parts of a model of OpenAI that are not zero. */
const partsOf = (
  { input = 0, cached = 0, output = 0, cost, invocations = 1 }: Recorded,
  rows: readonly Row[],
  line: { readonly provider: string; readonly model: string } | null = {
    provider: 'openai',
    model: 'gpt-4o',
  },
  tierRules = PUBLISHED,
) => {
  const tokens = { input_tokens: input, cached_input_tokens: cached, output_tokens: output };
  const cohorts = [aCohortOf({ cost, invocations, tokens })];
  const parts = differenceParts({
    line,
    recorded: { invocations, cost, tokens: (kinds) => recordedTokens(cohorts, kinds) },
    rows: rows.map(toRow),
    tierRules,
  });
  return Object.fromEntries(Object.entries(parts).filter(([, amount]) => amount !== '0'));
};

/** A million input and 200,000 output tokens at 2.50 and 10. */
const RECORDED = { input: MILLION, output: 200_000, cost: '4.5' };
const BILL: readonly Row[] = [
  ['input', MILLION, '2.5'],
  ['output', 200_000, '2'],
];

describe('the parts of a difference', () => {
  it('are all zero when bill and records agree', () => {
    expect(partsOf(RECORDED, BILL)).toEqual({});
  });

  it('are uncaptured calls when the bill has more tokens at the recorded price', () => {
    const half = { input: MILLION / 2, output: 100_000, cost: '2.25' };

    expect(partsOf(half, BILL)).toEqual({ uncaptured_calls_usd: '2.25' });
  });

  it('are uncaptured calls when there is no record of the billed model', () => {
    expect(partsOf({ cost: '0', invocations: 0 }, BILL)).toEqual({ uncaptured_calls_usd: '4.5' });
  });

  it('are unbilled calls when the bill has fewer tokens, or no row', () => {
    expect(partsOf({ ...RECORDED, input: 2 * MILLION, cost: '7' }, BILL)).toEqual({
      unbilled_calls_usd: '-2.5',
    });
    expect(partsOf(RECORDED, [])).toEqual({ unbilled_calls_usd: '-4.5' });
  });

  it('are the price when the same tokens have another cost, or no known price', () => {
    const discounted: readonly Row[] = [
      ['input', MILLION, '2.125'],
      ['output', 200_000, '1.7'],
    ];

    expect(partsOf(RECORDED, discounted)).toEqual({ price_usd: '-0.675' });
    expect(partsOf({ ...RECORDED, cost: '0' }, discounted)).toEqual({ price_usd: '3.825' });
  });

  it('are uncaptured calls at the price of the bill, and the price of the captured ones', () => {
    const half = { input: MILLION / 2, output: 100_000, cost: '2.25' };

    expect(partsOf(half, [['input', MILLION, '2'], BILL[1] ?? ['output', 0, '0']])).toEqual({
      uncaptured_calls_usd: '2',
      price_usd: '-0.25',
    });
  });

  it('are rounding up to half a unit of the last billed digit for each row', () => {
    expect(partsOf({ ...RECORDED, cost: '4.4951' }, BILL)).toEqual({ rounding_usd: '0.0049' });
    expect(partsOf({ ...RECORDED, cost: '4.51' }, BILL)).toEqual({ rounding_usd: '-0.01' });
    expect(partsOf({ ...RECORDED, cost: '4.5101' }, BILL)).toEqual({ price_usd: '-0.0101' });
    expect(partsOf({ cost: '4.496' }, [[null, 0, '4.50']])).toEqual({ rounding_usd: '0.004' });
  });

  it('are the price and the rounding of the bill, each by itself, when one price explains the rows', () => {
    const rounded: readonly Row[] = [
      ['input', 1_000_001, '2.13'],
      ['output', 200_000, '1.70'],
    ];

    expect(partsOf({ ...RECORDED, input: 1_000_001 }, rounded)).toEqual({
      price_usd: '-0.66999787',
      rounding_usd: '-0.00000213',
    });
  });

  it.each([
    ['batch', 'batch_usd'],
    ['batch long context', 'batch_usd'],
    ['flex', 'tier_usd'],
    ['priority', 'tier_usd'],
    ['1h', 'tier_usd'],
  ])('of tokens at the price of the tier %s are in %s', (tier, part) => {
    const bill: readonly Row[] = [
      ['input', 600_000, '1.5'],
      ['input', 400_000, '0.5', tier],
    ];

    expect(partsOf({ input: MILLION, cost: '2.5' }, bill)).toEqual({ [part]: '-0.5' });
  });

  it('use the published multiplier of a tier when the bill has no standard price', () => {
    const half: readonly Row[] = [[null, 0, '1.25', 'batch']];

    expect(partsOf({ input: MILLION, cost: '2.5' }, half)).toEqual({ batch_usd: '-1.25' });
    expect(partsOf({ cost: '3' }, half)).toEqual({ batch_usd: '-1.25', unexplained_usd: '-0.5' });
    expect(partsOf({ input: MILLION, cost: '2.5' }, [['input', MILLION, '4.25', 'priority']])).toEqual({
      tier_usd: '1.75',
    });
  });

  it('use the multiplier that operators loaded, from its day on', () => {
    const tiers = [
      {
        ...{ providers: ['openai'], tiers: ['turbo'], from: '2026-12-01', times: '3' },
        ...{ source: 'price page', checked: '2026-12-01' },
      },
    ];
    const version = 'loaded-2026-12-01-0123456789ab';
    const rules = rulesWith(
      PriceObject.parse({ loads: [{ version, loaded_at: '2026-12-01T08:00:00Z', prices: { tiers } }] }),
    );
    const parts = (at: string) =>
      partsOf({ input: MILLION, cost: '2.5' }, [['input', MILLION, '7.5', 'turbo']], undefined, {
        rules,
        at: new Date(at),
      });

    expect(parts('2026-12-01')).toEqual({ tier_usd: '5' });
    expect(parts('2026-11-30')).not.toHaveProperty('tier_usd');
  });

  it('have no tier when the records have its price already', () => {
    const bill: readonly Row[] = [
      ['input', 600_000, '1.5'],
      ['input', 400_000, '0.5', 'batch'],
    ];

    expect(partsOf({ input: MILLION, cost: '2' }, bill)).toEqual({});
    expect(partsOf({ input: MILLION, cost: '1.8' }, bill)).toEqual({ price_usd: '0.2' });
  });

  it('are uncaptured calls when exactly the calls of the standard tier were recorded', () => {
    expect(partsOf(RECORDED, [...BILL, ['input', 400_000, '0.5', 'batch']])).toEqual({
      uncaptured_calls_usd: '0.5',
    });
  });

  it('are token kinds when cache reads were recorded as input', () => {
    const bill: readonly Row[] = [
      ['input', 600_000, '1.5'],
      ['cached_input', 400_000, '0.5'],
      ['output', 200_000, '2'],
    ];

    expect(partsOf(RECORDED, bill)).toEqual({ token_kinds_usd: '-0.5' });
    expect(partsOf({ ...RECORDED, cached: 400_000, cost: '4' }, bill)).toEqual({});
  });

  it.each<[string, Recorded, readonly Row[]]>([
    ['a row without tokens', RECORDED, [...BILL, [null, 0, '1']]],
    ['a recorded kind without a price', RECORDED, [['input', 1_200_000, '5.5']]],
    ['records without tokens', { cost: '3' }, BILL],
    [
      'a tier without a known price',
      RECORDED,
      [
        ['input', MILLION, '4', 'scale'],
        ['output', 200_000, '2'],
      ],
    ],
  ])('are unexplained with %s', (_, recorded, bill) => {
    expect(partsOf(recorded, bill)).toHaveProperty('unexplained_usd');
  });

  it('are not divided when the model is not shown', () => {
    expect(partsOf({ ...RECORDED, cost: '3' }, BILL, null)).toEqual({ unexplained_usd: '1.5' });
    expect(partsOf({ cost: '0', invocations: 0 }, BILL, null)).toEqual({ unexplained_usd: '4.5' });
    expect(partsOf(RECORDED, [], null)).toEqual({ unbilled_calls_usd: '-4.5' });
  });
});

/** Costs a second. */
describe('the parts of any difference', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n }).chain((digits) =>
    fc.nat(12).map((scale) =>
      decimal(String(digits))
        .div(`1${'0'.repeat(scale)}`)
        .toFixed(),
    ),
  );
  const count = fc.nat(10 ** 9);
  const row = fc.tuple(
    fc.constantFrom<TokenKind | null>(null, ...tokenKinds, ...tokenKinds),
    count,
    fc.oneof(
      amount,
      amount.map((text) => decimal(text).times('-1').toFixed()),
    ),
    fc.constantFrom(undefined, undefined, 'batch', 'flex', 'priority', '1h'),
  );
  const recorded = fc.record({
    input: count,
    cached: fc.nat(1_000),
    output: count,
    cost: amount,
    invocations: fc.nat(2),
  });
  const line = fc.constantFrom(null, { provider: 'openai', model: 'gpt-4o' }, { provider: 'x', model: 'y' });

  it('sum to it exactly', () => {
    fc.assert(
      fc.property(recorded, fc.array(row, { maxLength: 6 }), line, (records, rows, shown) => {
        const known = records.invocations === 0 ? { ...records, cost: '0', input: 0, output: 0 } : records;
        const sum = Object.values(partsOf(known, rows, shown)).reduce(
          (total, part) => total.plus(part),
          decimal('0'),
        );
        const billed = rows.reduce((total, [, , cost]) => total.plus(cost), decimal('0'));

        expect(sum.toFixed()).toBe(billed.minus(known.cost).toFixed());
      }),
    );
  });

  it('have no other sign than the difference in tier, batch and price together', () => {
    fc.assert(
      fc.property(recorded, fc.array(row, { minLength: 1, maxLength: 6 }), line, (records, rows, shown) => {
        const { batch_usd, tier_usd, price_usd, unexplained_usd } = {
          ...noParts,
          ...partsOf({ ...records, invocations: 1 }, rows, shown),
        };
        const signs = [batch_usd, tier_usd, price_usd, unexplained_usd].map((part) => decimal(part).cmp('0'));

        expect(new Set(signs.filter((sign) => sign !== 0)).size).toBeLessThanOrEqual(1);
      }),
    );
  });
});
