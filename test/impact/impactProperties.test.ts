import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { assessCost } from '../../functions/impact/price/cost.ts';
import { firstMatchOf } from '../../functions/impact/price/priceSheet.ts';
import { publishedRules } from '../../functions/impact/price/rules/publishedRules.ts';
import { readUsage } from '../../functions/impact/usage/usage.ts';
import { Big, decimal, toDecimalString, wholeNumber } from '../../functions/platform/shared/decimal.ts';
import { CostExplanation } from '../../schemas/attribution/costExplanation.ts';
import { CarbonExplanation, EnergyExplanation } from '../../schemas/attribution/explanation.ts';
import { pricedKinds } from '../../schemas/attribution/unitPrices.ts';
import { formatFixedPoint } from '../../schemas/fixedPoint.ts';
import { anyEvent } from '../attribution/engine/events.ts';
import { call, MID_JULY, onePrice } from './calls.ts';

const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['openai', 'gpt-5.6'],
  ['openai', 'text-embedding-3-small'],
  ['openai', 'whisper-1'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['aws', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
  ['google', 'gemini-2.5-pro'],
  ['deepseek', 'deepseek-v4-pro'],
  ['mistral', 'mistral-large-latest'],
  ['perplexity', 'sonar-deep-research'],
  ['openrouter', 'google/gemini-2.5-flash-lite'],
  ['nobody', 'nothing'],
] as const;

/** An optional value. */
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

const mediaOf = (
  shares: readonly number[] | undefined,
  input: number,
  written: number | undefined,
  output: number | undefined,
  reasoningShare: number,
) => {
  if (shares === undefined) return {};
  const [hour = 0, audioIn = 0, imageIn = 0, audioOut = 0, imageOut = 0] = shares;
  const visible = output === undefined ? undefined : output - Math.floor(output * reasoningShare);
  const partOf = (whole: number | undefined, share: number) =>
    whole === undefined ? undefined : Math.floor(whole * share);
  return {
    cache_write_1h_tokens: partOf(written, hour),
    audio_input_tokens: partOf(input, audioIn),
    image_input_tokens: partOf(input, imageIn),
    audio_output_tokens: partOf(visible, audioOut),
    image_output_tokens: partOf(visible, imageOut),
  };
};

const calls = fc
  .record({
    model: fc.constantFrom(...MODELS),
    uncached: fc.nat({ max: 400_000 }),
    cached: maybe(fc.nat({ max: 400_000 })),
    written: maybe(fc.nat({ max: 100_000 })),
    output: maybe(fc.nat({ max: 100_000 })),
    reasoningShare: fc.double({ min: 0, max: 1, noNaN: true }),
    /** Shares of the whole that are priced apart: hour writes, audio and images read, audio and images generated. */
    shares: maybe(fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { minLength: 5, maxLength: 5 })),
    searches: maybe(fc.nat({ max: 20 })),
    tier: maybe(fc.constantFrom('default', 'flex', 'priority', 'batch', 'fast', 'turbo')),
    latency: maybe(fc.nat({ max: 600_000 })),
    region: maybe(fc.constantFrom('us-east-1', 'swedencentral', 'global', 'nowhere')),
    energy: maybe(fc.constantFrom('0', '0.000000000001', '12.5')),
  })
  .map(({ model: [provider, requested_model], uncached, cached, written, output, reasoningShare, ...rest }) =>
    call({
      provider,
      requested_model,
      input_tokens: uncached + (cached ?? 0) + (written ?? 0),
      cached_input_tokens: cached,
      cache_write_tokens: written,
      output_tokens: output,
      reasoning_tokens: output === undefined ? undefined : Math.floor(output * reasoningShare),
      ...mediaOf(rest.shares, uncached + (cached ?? 0) + (written ?? 0), written, output, reasoningShare),
      web_searches: rest.searches,
      service_tier: rest.tier,
      latency_ms: rest.latency,
      region: rest.region,
      energy_wh: rest.energy,
    }),
  );
const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });

const sum = (texts: readonly string[]) => texts.reduce((total, text) => total.plus(text), Big('0'));
const ordered = (low: string, central: string, high: string) =>
  decimal('0').lte(low) && decimal(low).lte(central) && decimal(central).lte(high);

describe('the impact of arbitrary calls', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });

  it('splits input tokens into buckets that sum to them', () => {
    fc.assert(
      fc.property(calls, (event) => {
        const usage = readUsage(event);

        if (typeof usage === 'string') throw new Error(usage);
        expect(usage.uncached + usage.cached + usage.cacheWrite).toBe(event.input_tokens);
        expect(Math.min(usage.uncached, usage.cached, usage.cacheWrite)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('has a cost that is the sum of its components (quantity times unit price), within an ordered range', () => {
    fc.assert(
      fc.property(calls, moments, (event, at) => {
        const { cost, unknown } = assessImpact(event, at, factors);

        expect(cost === null).toBe(unknown.cost !== undefined);
        if (cost === null) return;
        CostExplanation.parse(cost);
        expect(ordered(cost.low, cost.central, cost.high)).toBe(true);
        expect(sum(cost.components.map((part) => part.cost_usd)).eq(cost.central)).toBe(true);
        for (const { quantity, unit_price_usd_per_million: price, cost_usd } of cost.components) {
          const product = wholeNumber(quantity ?? -1)
            .times(price ?? '-1')
            .times('0.000001');
          // Exact, without rounding: exports multiply the quantities of many calls by the unit price.
          expect(decimal(cost_usd).eq(product)).toBe(true);
        }
        const tokens = cost.components.filter(({ kind }) => kind !== 'request' && kind !== 'search');
        const priced = tokens.reduce((total, part) => total + (part.quantity ?? 0), 0);
        expect(priced).toBe((event.input_tokens ?? 0) + (event.output_tokens ?? 0));
      }),
      { numRuns: 300 },
    );
  });

  it('has an exact cost for prices of any precision and any service tier', () => {
    const price = fc.bigInt({ min: 0n, max: 10n ** 18n }).map((units) => formatFixedPoint(units));
    const required = { input: price, cached_input: price, cache_write: price, output: price };
    const others = pricedKinds.filter((kind) => !Object.hasOwn(required, kind));
    const sheets = fc.record({
      ...required,
      ...Object.fromEntries(others.map((kind) => [kind, fc.option(price, { nil: null })])),
    });
    const identity = { provider: 'openai', model: 'gpt-4o' };

    fc.assert(
      fc.property(calls, sheets, fc.constantFrom('gpt-4o-mini', 'o4-mini'), (event, sheet, pricedModel) => {
        const cost = assessCost(event, identity, MID_JULY, {
          prices: onePrice({ ...sheet, pricedModel }),
          rules: publishedRules,
        });

        if (typeof cost === 'string') return;
        CostExplanation.parse(cost);
        for (const { quantity, unit_price_usd_per_million: unitPrice, cost_usd } of cost.components) {
          const product = wholeNumber(quantity ?? -1)
            .times(unitPrice ?? '-1')
            .times('0.000001');
          expect(decimal(cost_usd).eq(product)).toBe(true);
        }
        expect(sum(cost.components.map((part) => part.cost_usd)).eq(cost.central)).toBe(true);
        expect(ordered(cost.low, cost.central, cost.high)).toBe(true);
      }),
    );
  });

  it('has components that sum to the cost for each price source', () => {
    const agreed = onePrice({ input: '1.5', output: '6', source: 'contract' });
    const contract = { ...factors, prices: firstMatchOf([agreed, factors.prices]) };

    fc.assert(
      fc.property(anyEvent, fc.constantFrom(factors, contract), (event, by) => {
        const { cost } = assessImpact(event, MID_JULY, by);

        if (cost === null) return;
        expect(sum(cost.components.map((part) => part.cost_usd)).eq(cost.central)).toBe(true);
        expect(cost.components).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has energy and carbon that are the sum of their components, within ordered ranges', () => {
    fc.assert(
      fc.property(calls, moments, (event, at) => {
        const { energy, carbon, unknown } = assessImpact(event, at, factors);

        expect(energy === null).toBe(unknown.energy !== undefined);
        expect(carbon === null).toBe(unknown.carbon !== undefined);
        expect(energy === null).toBe(carbon === null);
        if (energy === null || carbon === null) return;
        EnergyExplanation.parse(energy);
        CarbonExplanation.parse(carbon);
        expect(ordered(energy.low, energy.central, energy.high)).toBe(true);
        expect(ordered(carbon.low, carbon.central, carbon.high)).toBe(true);
        for (const figure of [energy, carbon]) {
          if (figure.components === null) continue;
          expect(toDecimalString(sum(Object.values(figure.components)))).toBe(figure.central);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is byte-identical on replay with newly loaded factors', async () => {
    const reloaded = await loadFactors();

    fc.assert(
      fc.property(calls, moments, (event, at) => {
        const first = JSON.stringify(assessImpact(event, at, factors));
        const copy = structuredClone(event);

        expect(JSON.stringify(assessImpact(copy, new Date(at), reloaded))).toBe(first);
      }),
    );
  });
});
