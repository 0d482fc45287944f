import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pricesOf } from '../../../functions/impact/price/lists/listPrices.ts';
import { changeParts, type ModelChange } from '../../../functions/insight/reports/changes/changeParts.ts';
import { type ModelCalls, NO_CALLS } from '../../../functions/insight/reports/modelCalls.ts';
import { weightsFrom } from '../../../functions/insight/reports/tokenPrices.ts';
import { Big, decimal } from '../../../functions/platform/shared/decimal.ts';
import { parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import { CHANGE_PARTS, type ChangePart, type ChangeParts } from '../../../schemas/insight/changes.ts';

const NONE = { before: NO_CALLS, now: NO_CALLS };
const WEIGHTS = {
  uncached: decimal('2'),
  cached: decimal('0.2'),
  written: decimal('2.5'),
  output: decimal('10'),
};

/** Ten calls of 100 tokens in, 20 of them cached, and 10 out, for 2.64 USD. */
const ten: ModelCalls = {
  priced: 10,
  unpriced: 0,
  cost: decimal('2.64'),
  input: 1_000,
  cached: 200,
  written: 0,
  output: 100,
};
const change = (now: Partial<ModelCalls>, rest: Partial<ModelChange> = {}): ModelChange => ({
  before: ten,
  now: { ...ten, ...now },
  weights: WEIGHTS,
  ...rest,
});

const nonZero = (parts: ChangeParts): Partial<ChangeParts> =>
  Object.fromEntries(Object.entries(parts).filter(([, amount]) => amount !== '0'));

describe('the parts of a change of cost', () => {
  it.each<[string, readonly ModelChange[], Partial<ChangeParts>]>([
    [
      'twice as many like calls',
      [change({ priced: 20, cost: decimal('5.28'), input: 2_000, cached: 400, output: 200 })],
      { volume_usd: '2.64' },
    ],
    [
      'calls of twice as many tokens of each kind',
      [change({ cost: decimal('5.28'), input: 2_000, cached: 400, output: 200 })],
      { tokens_usd: '2.64' },
    ],
    // 300 tokens cost 1.8 less each, at .001 USD for each unit of weight.
    [
      'more of the input from the cache',
      [change({ cost: decimal('2.1'), cached: 500 })],
      { cache_usd: '-0.54' },
    ],
    ['another price of the same tokens', [change({ cost: decimal('1.32') })], { price_usd: '-1.32' }],
    ['fees without tokens', [change({ cost: decimal('2.74') })], { price_usd: '0.1' }],
    ['no change', [change({})], {}],
    ['the first calls', [{ before: NO_CALLS, now: ten, weights: WEIGHTS }], { volume_usd: '2.64' }],
    ['no calls any more', [{ before: ten, now: NO_CALLS, weights: WEIGHTS }], { volume_usd: '-2.64' }],
    [
      'a model for another',
      [
        { before: ten, now: NO_CALLS, weights: WEIGHTS },
        { before: NO_CALLS, now: { ...ten, cost: decimal('0.64') }, weights: WEIGHTS },
      ],
      { mix_usd: '-2' },
    ],
    [
      'a model without a list price',
      [change({ cost: decimal('3') }, { weights: null })],
      { undivided_usd: '0.36' },
    ],
    [
      'tokens of a kind that has no price',
      [change({ cost: decimal('3') }, { weights: { ...WEIGHTS, output: null } })],
      { undivided_usd: '0.36' },
    ],
    [
      'calls of unknown cost, whose tokens are counted too',
      [change({ unpriced: 1, input: 2_000, cost: decimal('3') })],
      { undivided_usd: '0.36' },
    ],
    [
      'calls without tokens',
      [
        {
          before: { ...NO_CALLS, priced: 1, cost: decimal('1') },
          now: { ...NO_CALLS, priced: 1, cost: decimal('2') },
          weights: WEIGHTS,
        },
      ],
      { undivided_usd: '1' },
    ],
  ])('of %s are those of their cause only', (_, models, expected) => {
    expect(nonZero(changeParts(models, NONE))).toEqual(expected);
  });

  it('does not divide what calls of hidden models changed', () => {
    const hidden = { before: ten, now: { ...ten, priced: 30, cost: decimal('4') } };

    expect(nonZero(changeParts([], hidden))).toEqual({ undivided_usd: '1.36' });
  });

  const amount = fc
    .bigInt({ min: 0n, max: 10n ** 18n })
    .map((units) => Big(units.toString()).times(decimal('0.000000000001')));
  const count = fc.nat({ max: 1_000_000 });
  const calls = fc
    .record({
      priced: count,
      unpriced: fc.constantFrom(0, 0, 0, 7),
      amount,
      uncached: count,
      cached: count,
      written: count,
      output: count,
    })
    .map(
      ({ amount: cost, uncached, ...rest }): ModelCalls => ({
        ...rest,
        // No call has a cost, so there is none.
        cost: rest.priced === 0 ? Big('0') : cost,
        input: uncached + rest.cached + rest.written,
      }),
    );
  const model = fc.record({ before: calls, now: calls, weights: fc.constantFrom(WEIGHTS, null) });

  it('sum exactly to the change, whatever the calls', () => {
    fc.assert(
      fc.property(fc.array(model, { maxLength: 6 }), calls, calls, (models, before, now) => {
        const parts = changeParts(models, { before, now });
        const units = (text: string): bigint =>
          text.startsWith('-') ? -parseFixedPoint(text.slice(1)) : parseFixedPoint(text);
        const sum = CHANGE_PARTS.reduce((total, part: ChangePart) => total + units(parts[part]), 0n);
        const expected = [...models, { before, now }].reduce(
          (total, one) => total.plus(one.now.cost).minus(one.before.cost),
          Big('0'),
        );

        expect(sum).toBe(units(expected.toFixed()));
      }),
    );
  });
});

describe('the weights of tokens', () => {
  const at = new Date('2026-03-01');

  it('are the list prices of the model, whatever spelling of provider and model the calls have', () => {
    const weights = weightsFrom(pricesOf(null, null).prices)(
      'azure.ai.openai',
      'azure/gpt-4o-2024-08-06',
      at,
    );

    expect(weights && Object.values(weights).map(String)).toEqual(['2.5', '1.25', '2.5', '10']);
  });

  it('are unknown for a model without a list price', () => {
    expect(weightsFrom(pricesOf(null, null).prices)('vllm', 'our-own-model', at)).toBeNull();
  });
});
