import { describe, expect, it } from 'vitest';
import { assessCost } from '../../../functions/impact/price/cost.ts';
import { NO_PRICES, type PriceSheet } from '../../../functions/impact/price/priceSheet.ts';
import { publishedRules } from '../../../functions/impact/price/publishedRules.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { call, MID_JULY, onePrice } from '../calls.ts';

const FULL: Partial<PriceSheet> = {
  input: '3',
  cached_input: '0.3',
  cache_write: '3.75',
  cache_write_1h: '6',
  output: '15',
};

const costOf = (fields: Record<string, unknown>, sheet: Partial<PriceSheet> = FULL) => {
  const event = call(fields);
  const identity = modelIdentity(event.provider, event.requested_model);
  return assessCost(event, identity, MID_JULY, { prices: onePrice(sheet), rules: publishedRules });
};

describe('cost from unit prices', () => {
  it('prices cached tokens once', () => {
    const cost = costOf({
      input_tokens: 1_000,
      cached_input_tokens: 600,
      cache_write_tokens: 100,
      output_tokens: 10,
    });

    expect(cost).toMatchObject({
      central: '0.001605',
      components: [
        { kind: 'input', quantity: 300, unit_price_usd_per_million: '3', cost_usd: '0.0009' },
        { kind: 'cached_input', quantity: 600, unit_price_usd_per_million: '0.3', cost_usd: '0.00018' },
        { kind: 'cache_write', quantity: 100, unit_price_usd_per_million: '3.75', cost_usd: '0.000375' },
        { kind: 'output', quantity: 10, unit_price_usd_per_million: '15', cost_usd: '0.00015' },
      ],
    });
  });

  it('charges cache reads and writes as input when the model has no price for them', () => {
    const fields = { cached_input_tokens: 600, cache_write_tokens: 100, output_tokens: 0 };

    const cost = costOf(fields, { input: '3', output: '15' });

    expect(cost).toMatchObject({ low: '0.003', central: '0.003', high: '0.003' });
  });

  it('charges reasoning tokens once, as output', () => {
    const cost = costOf({ input_tokens: 0, output_tokens: 1_000, reasoning_tokens: 900 });

    expect(cost).toMatchObject({ central: '0.015' });
  });

  it('charges reasoning tokens separately when the model has a price for them', () => {
    const fields = { input_tokens: 0, output_tokens: 1_000, reasoning_tokens: 900 };

    const cost = costOf(fields, { input: '2', output: '8', reasoning: '3' });

    expect(cost).toMatchObject({
      central: '0.0035',
      components: [
        { kind: 'input', quantity: 0 },
        { kind: 'output', quantity: 100 },
        { kind: 'reasoning', quantity: 900 },
      ],
    });
  });

  it('is exact when a tier price has more digits than a cost', () => {
    const fields = { batch: true, input_tokens: 1, cached_input_tokens: 1, output_tokens: 0 };

    const cost = costOf(fields, { input: '0.435', cached_input: '0.003625', output: '0.87' });

    // Half of 0.003625 is 0.0018125. One token would then cost less than 1e-12 USD.
    expect(cost).toMatchObject({
      central: '0.000000001813',
      components: [{}, { unit_price_usd_per_million: '0.001813', cost_usd: '0.000000001813' }, {}],
    });
  });

  it('adds a fee per request', () => {
    const cost = costOf({}, { input: '3', output: '15', request: '14000' });

    expect(cost).toMatchObject({
      central: '0.0215',
      components: [{}, {}, { kind: 'request', quantity: 1, cost_usd: '0.014' }],
    });
  });

  it('keeps a free price at zero', () => {
    expect(costOf({}, { input: '0', output: '0' })).toMatchObject({ low: '0', central: '0', high: '0' });
  });

  it('has a low bound with all input from the cache when cached tokens are not reported', () => {
    const cost = costOf({ cached_input_tokens: undefined, output_tokens: 0 });

    expect(cost).toMatchObject({ low: '0.0003', central: '0.003', high: '0.003' });
  });

  it('has no cache range for a model without a cache', () => {
    const cost = costOf({ cached_input_tokens: undefined }, { input: '3', output: '15' });

    expect(cost).toMatchObject({ low: '0.0075', central: '0.0075', high: '0.0075' });
  });

  it('has a high bound with the one-hour price for cache writes of unknown lifetime', () => {
    const cost = costOf({ cache_write_tokens: 1_000, output_tokens: 0 });

    expect(cost).toMatchObject({ low: '0.00375', central: '0.00375', high: '0.006' });
  });
});

describe('counts that leave open what they include', () => {
  it('have a range over both readings, around the lower one', () => {
    const fields = {
      input_tokens: 4_500,
      cached_input_tokens: 3_000,
      output_tokens: 600,
      reasoning_tokens: 300,
    };

    expect(costOf({ ...fields, input_tokens_high: 7_500, output_tokens_high: 900 })).toMatchObject({
      uncertain: ['counting_convention'],
      low: '0.0144',
      central: '0.0144',
      high: '0.0279',
    });
  });
});

describe('kinds of tokens with prices of their own', () => {
  const sheet = {
    ...FULL,
    audio_input: '10',
    cached_audio_input: '1',
    audio_output: '40',
    image_input: '5',
    image_output: '30',
    search: '10000',
    searchHigh: '14000',
  };

  it.each([
    [
      'cache writes for an hour',
      { cache_write_tokens: 800, cache_write_1h_tokens: 500 },
      '0.004725',
      '0.004725',
    ],
    ['no cache write for an hour', { cache_write_tokens: 800, cache_write_1h_tokens: 0 }, '0.0036', '0.0036'],
    ['audio that was read', { audio_input_tokens: 400 }, '0.0058', '0.0058'],
    [
      'audio of which a part was cached',
      { audio_input_tokens: 400, cached_input_tokens: 700 },
      '0.00328',
      '0.00328',
    ],
    ['images that were read', { image_input_tokens: 400 }, '0.0038', '0.0038'],
    ['audio that was generated', { output_tokens: 100, audio_output_tokens: 60 }, '0.006', '0.006'],
    ['images that were generated', { output_tokens: 100, image_output_tokens: 60 }, '0.0054', '0.0054'],
    ['searches, whose price depends on a size', { web_searches: 3 }, '0.033', '0.045'],
    [
      'all of them together',
      { audio_input_tokens: 10, image_input_tokens: 10, web_searches: 1 },
      '0.01309',
      '0.01709',
    ],
  ])('charge %s', (_, fields, central, high) => {
    expect(costOf({ output_tokens: 0, ...fields }, sheet)).toMatchObject({ low: central, central, high });
  });

  it.each([
    ['gpt-4o-search-preview', {}, '0.0175'],
    ['gpt-4o-search-preview', { web_searches: 0 }, '0.0075'],
    ['gpt-5-search-api', { web_searches: 2 }, '0.0275'],
    ['gpt-4o', {}, '0.0075'],
  ])(
    'of %s with %o contain the search that each call of a search model runs',
    (requested_model, fields, central) => {
      expect(costOf({ requested_model, ...fields }, sheet)).toMatchObject({ central });
    },
  );

  it('have components that sum exactly to the cost', () => {
    const fields = {
      audio_input_tokens: 7,
      cache_write_tokens: 30,
      cache_write_1h_tokens: 13,
      web_searches: 2,
    };
    const cost = costOf(fields, sheet);

    const kinds =
      typeof cost === 'string' ? [] : cost.components.map(({ kind, quantity }) => [kind, quantity]);
    expect(kinds).toEqual([
      ['input', 963],
      ['cache_write', 17],
      ['cache_write_1h', 13],
      ['audio_input', 7],
      ['output', 300],
      ['search', 2],
    ]);
  });

  it('cost as much as text where the model has no price for them, up to the highest published multiple of it', () => {
    const fields = {
      audio_input_tokens: 400,
      image_output_tokens: 100,
      cache_write_1h_tokens: 0,
    };

    expect(costOf(fields, { input: '3', output: '15' })).toMatchObject({
      low: '0.0075',
      central: '0.0075',
      high: '0.0468',
      uncertain: ['unpriced_usage'],
    });
    // One price for all media.
    const { cache_write_1h_tokens, audio_input_tokens } = fields;
    expect(
      costOf(
        { cache_write_1h_tokens, audio_input_tokens },
        { input: '3', output: '15', pricedModel: 'gemini-2.5-pro' },
      ),
    ).toMatchObject({ high: '0.0075' });
  });

  it.each([
    [{ web_searches: 2 }, '0.0775'],
    [{ file_searches: 2 }, '0.0275'],
    [{ images: 1 }, '0.5075'],
    [{ characters: 1_000 }, '0.3075'],
  ])(
    'have a range up to the highest published price of %o, which the model does not price',
    (fields, high) => {
      expect(costOf(fields, { input: '3', output: '15' })).toMatchObject({
        uncertain: ['unpriced_usage'],
        low: '0.0075',
        central: '0.0075',
        high,
      });
    },
  );

  it('have a range over the searches of a model for deep research, which no producer counts', () => {
    const fields = { provider: 'perplexity', requested_model: 'sonar-deep-research' };
    const sheet = { input: '3', output: '15', search: '5000' };

    expect(costOf(fields, sheet)).toMatchObject({ low: '0.0075', central: '0.0075', high: '0.2575' });
    expect(costOf({ ...fields, web_searches: 2 }, sheet)).toMatchObject({ low: '0.0175', high: '0.0175' });
  });

  it('of another unit are the price of a call without tokens', () => {
    const none = { input_tokens: undefined, cached_input_tokens: undefined, output_tokens: undefined };
    const sheet = { audio_second: '100', otherModalities: true };

    expect(costOf({ ...none, audio_seconds: 90, requested_model: 'whisper-1' }, sheet)).toMatchObject({
      low: '0.009',
      high: '0.009',
      components: [{ kind: 'audio_second', quantity: 90, unit_price_usd_per_million: '100' }],
    });
    expect(costOf({ ...none, audio_seconds: 90 })).toBe('usage_missing');
  });

  it('that the source counts and an event cannot hold double the upper bound', () => {
    expect(costOf({ unread_usage: ['gen_ai.usage.video.input_tokens'] })).toMatchObject({
      uncertain: ['unread_usage'],
      central: '0.0075',
      high: '0.015',
    });
  });

  it('price a call of audio whose tokens are reported', () => {
    const audio = { ...sheet, otherModalities: true };
    const fields = { operation: 'audio', output_tokens: 100, audio_output_tokens: 60 };

    expect(costOf({ ...fields, audio_output_tokens: undefined }, audio)).toBe('unsupported_modality');
    expect(costOf(fields, audio)).toMatchObject({ central: '0.006' });
    expect(costOf(fields, { ...audio, audio_output: null })).toBe('unsupported_modality');
  });

  it('of a tier with listed prices replace the multiplier of the provider', () => {
    const batch = { ...NO_PRICES, input: '2', output: '6' };
    const tiers = { batch };
    const costAt = (fields: object) =>
      costOf({ provider: 'deepseek', ...fields }, { input: '4', output: '12', tiers });

    expect(costAt({ batch: true })).toMatchObject({
      service_tier_multiplier: '0.5',
      low: '0.0038',
      central: '0.0038',
      high: '0.0038',
    });
    expect(costAt({})).toMatchObject({ central: '0.0076' });
    expect(costOf({ batch: true }, { input: '4', output: '10', tiers })).toMatchObject({
      service_tier_multiplier: null,
      central: '0.0038',
    });
  });
});

describe('the price of another model of the family', () => {
  it('is the centre of a range', () => {
    expect(costOf({}, { ...FULL, match: 'family' })).toMatchObject({
      price_match: 'family',
      low: '0.00375',
      central: '0.0075',
      high: '0.015',
    });
  });

  it('widens the range of an unknown region', () => {
    const sheet = { ...FULL, match: 'family' as const, tokenFactors: { low: '1', high: '1.2' } };

    expect(costOf({}, sheet)).toMatchObject({ low: '0.00375', high: '0.018' });
  });

  it('has no range where a contract names the family', () => {
    const sheet = { ...FULL, match: 'family' as const, source: 'contract' as const };

    expect(costOf({}, sheet)).toMatchObject({ low: '0.0075', central: '0.0075', high: '0.0075' });
  });
});

describe('service tiers', () => {
  it.each([
    [{ batch: true }, '0.5', '0.00375'],
    [{ service_tier: 'batch' }, '0.5', '0.00375'],
    [{ service_tier: 'FLEX' }, '0.5', '0.00375'],
    [{ batch: true, service_tier: 'priority' }, '0.5', '0.00375'],
    [{ batch: true, service_tier: 'flex' }, '0.5', '0.00375'],
    [{ batch: true, provider: 'bedrock' }, '0.5', '0.00375'],
    [{ service_tier: 'flex', provider: 'groq' }, '1', '0.0075'],
    [{ service_tier: 'default' }, '1', '0.0075'],
    [{ service_tier: 'SERVICE_TIER_STANDARD' }, '1', '0.0075'],
    [{}, '1', '0.0075'],
  ])('applies %o as %s', (fields, multiplier, central) => {
    expect(costOf(fields)).toMatchObject({
      service_tier_multiplier: multiplier,
      low: central,
      central,
      high: central,
    });
  });

  it.each([
    ['gpt-4o', '2.5', '4.25'],
    ['gpt-4o-mini', '0.15', '0.25'],
    ['gpt-5-mini', '0.25', '0.45'],
    ['gpt-5.5', '5', '12.5'],
    ['o4-mini', '1.1', '2'],
  ])('charges the published priority price of %s exactly', (pricedModel, list, priority) => {
    const cost = costOf({ service_tier: 'priority' }, { input: list, output: list, pricedModel });

    expect(cost).toMatchObject({ components: [{ unit_price_usd_per_million: priority }, {}] });
  });

  it.each([
    [{ batch: true, provider: 'deepseek' }, '0.0075'],
    [{ service_tier: 'flex', provider: 'anthropic' }, '0.01875'],
    [{ service_tier: 'priority', provider: 'azure' }, '0.01875'],
  ])('returns a range for %o, because no price page states a multiplier', (fields, high) => {
    expect(costOf(fields)).toMatchObject({
      service_tier_multiplier: null,
      low: '0.00375',
      central: '0.0075',
      high,
    });
  });

  it('returns a range and no multiplier for a tier without a known price', () => {
    const cost = costOf({ provider: 'anthropic', service_tier: 'priority' });

    expect(cost).toMatchObject({
      service_tier_multiplier: null,
      low: '0.00375',
      central: '0.0075',
      high: '0.01875',
    });
  });

  it('does not discount a fee per request', () => {
    const cost = costOf(
      { batch: true, input_tokens: 0, output_tokens: 0 },
      { input: '3', output: '15', request: '14000' },
    );

    expect(cost).toMatchObject({ central: '0.014' });
  });
});

const STATED = { cost_source: 'provider' } as const;

describe('the cost that the producer reports', () => {
  it('takes precedence over the catalogue, including zero, if who charges stated it', () => {
    expect(costOf({ estimated_cost_usd: '0', ...STATED })).toMatchObject({
      source: 'producer',
      catalogue: 'producer',
      low: '0',
      central: '0',
      high: '0',
      components: [{ kind: 'total', quantity: null, unit_price_usd_per_million: null, cost_usd: '0' }],
    });
  });

  it('is unchanged when its breakdown has a different sum', () => {
    const breakdown = { input: '0.1', output: '0.2' };
    const cost = costOf({ estimated_cost_usd: '0.50', cost_breakdown: breakdown, ...STATED });

    expect(cost).toMatchObject({
      low: '0.5',
      central: '0.5',
      high: '0.5',
      components: [{ kind: 'total', cost_usd: '0.5' }],
    });
  });

  it('is the sum of its breakdown when there is no total', () => {
    const cost = costOf({ cost_breakdown: { input: '0.1', cached_input: '0.02', output: '0.2' } });

    expect(cost).toMatchObject({
      source: 'producer',
      central: '0.32',
      components: [
        { kind: 'input', quantity: null, unit_price_usd_per_million: null, cost_usd: '0.1' },
        { kind: 'cached_input', cost_usd: '0.02' },
        { kind: 'output', cost_usd: '0.2' },
      ],
    });
  });

  it('keeps a breakdown that sums to the total in any decimal spelling', () => {
    const cost = costOf({ estimated_cost_usd: '0.30', cost_breakdown: { input: '0.1', output: '0.200' } });

    expect(cost).toMatchObject({ components: [{ kind: 'input' }, { kind: 'output', cost_usd: '0.2' }] });
  });

  it('is absent when the breakdown is empty', () => {
    expect(costOf({ cost_breakdown: {} })).toMatchObject({ source: 'catalogue' });
  });

  it('does not require usage', () => {
    const fields = { estimated_cost_usd: '1.25', input_tokens: undefined, output_tokens: undefined };

    expect(costOf({ ...fields, cached_input_tokens: undefined })).toMatchObject({ central: '1.25' });
  });
});

describe('a reported zero of a call with usage', () => {
  it.each([
    ['a model that is free', { requested_model: 'qwen/qwen3-coder:free' }],
    ['a failed call', { status: 'error' }],
    ['a statement of who charges', STATED],
    ['a call without usage', { input_tokens: undefined, output_tokens: undefined }],
    ['a call of 0 tokens', { input_tokens: 0, output_tokens: 0 }],
  ])('is the cost of %s', (_, fields) => {
    const unknown = { cached_input_tokens: undefined };
    expect(costOf({ estimated_cost_usd: '0', ...unknown, ...fields })).toMatchObject({
      source: 'producer',
      low: '0',
      high: '0',
    });
  });

  it.each([
    ['without a source', {}],
    ['of an estimate', { cost_source: 'estimate' }],
    ['in parts', { estimated_cost_usd: undefined, cost_breakdown: { input: '0', output: '0' } }],
  ])('%s is not: the list price counts, and the explanation has the zero', (_, fields) => {
    expect(costOf({ estimated_cost_usd: '0', ...fields })).toMatchObject({
      source: 'catalogue',
      central: '0.0075',
      reported_usd: '0',
    });
  });

  it('leaves the cost unknown where no price is known', () => {
    expect(costOf({ estimated_cost_usd: '0', input_tokens: 5, output_tokens: undefined })).toBe(
      'usage_missing',
    );
  });

  it('is the cost if the contract has a price of 0', () => {
    const contract = { source: 'contract', input: '0', output: '0' } as const;

    expect(costOf({ estimated_cost_usd: '0' }, contract)).toMatchObject({ source: 'contract', high: '0' });
  });
});

describe('an estimate of a client', () => {
  it.each([
    ['0.006', { low: '0.006', central: '0.006', high: '0.0075' }],
    ['0.0075', { low: '0.0075', central: '0.0075', high: '0.0075' }],
    ['0.01', { low: '0.0075', central: '0.01', high: '0.01' }],
  ])('of %s has a range with the list price', (amount, range) => {
    const expected = { source: 'producer', uncertain: ['client_estimate'], ...range };

    expect(costOf({ estimated_cost_usd: amount, cost_source: 'estimate' })).toMatchObject(expected);
    expect(costOf({ estimated_cost_usd: amount })).toMatchObject(expected);
  });

  it('that nothing can be compared with is never exact', () => {
    const fields = { estimated_cost_usd: '1', input_tokens: undefined, cached_input_tokens: undefined };

    expect(costOf(fields)).toMatchObject({ low: '0.5', central: '1', high: '2' });
  });

  it('gives way to a contract price, unless the producer does not call it an estimate', () => {
    const contract = { ...FULL, source: 'contract' } as const;

    expect(costOf({ estimated_cost_usd: '7', cost_source: 'estimate' }, contract)).toMatchObject({
      source: 'contract',
      central: '0.0075',
      high: '0.0075',
      reported_usd: '7',
    });
    expect(costOf({ estimated_cost_usd: '7' }, contract)).toMatchObject({ low: '0.0075', central: '7' });
  });
});

describe('a call that is not paid by use', () => {
  it.each([
    [{ billing_mode: 'subscription' }, 'subscription'],
    [{ billing_mode: 'free' }, 'free'],
    [{ service_tier: 'provisioned' }, 'provisioned'],
    [{ service_tier: 'PROVISIONED_THROUGHPUT' }, 'provisioned'],
    [{ service_tier: 'GlobalProvisionedManaged' }, 'provisioned'],
    [{ service_tier: 'reserved' }, 'provisioned'],
    [{ service_tier: 'scale' }, 'provisioned'],
    [{ billing_mode: 'subscription', estimated_cost_usd: '0.9' }, 'subscription'],
  ])('%o costs nothing, and shows its list price', (fields, billing) => {
    expect(costOf(fields)).toMatchObject({
      source: 'unmetered',
      billing_mode: billing,
      low: '0',
      central: '0',
      high: '0',
      list_price_usd: '0.0075',
      components: [{ kind: 'total', cost_usd: '0' }],
    });
  });

  it('costs what the tenant agreed for such calls', () => {
    const contract = { ...FULL, source: 'contract' } as const;

    expect(costOf({ billing_mode: 'provisioned' }, contract)).toMatchObject({
      source: 'contract',
      billing_mode: 'provisioned',
      central: '0.0075',
    });
  });

  it('is metered if the producer says so', () => {
    expect(costOf({ billing_mode: 'metered', service_tier: 'scale' })).toMatchObject({ source: 'catalogue' });
  });
});

describe('unknown cost', () => {
  it.each([
    ['token counts', { input_tokens: undefined, output_tokens: undefined }],
    ['input tokens', { input_tokens: undefined }],
    ['output tokens', { output_tokens: undefined }],
    ['usage of a failed call', { status: 'error', input_tokens: undefined, output_tokens: undefined }],
  ])('is usage_missing without %s', (_, fields) => {
    expect(costOf(fields)).toBe('usage_missing');
  });

  it('does not apply to a failed call with usage, which is priced', () => {
    expect(costOf({ status: 'error' })).toMatchObject({ central: '0.0075' });
  });

  it('does not apply to an embedding without output tokens', () => {
    expect(costOf({ output_tokens: undefined }, { input: '0.02' })).toMatchObject({
      central: '0.00002',
      components: [{ kind: 'input' }],
    });
  });

  it('does not apply to an embedding without output tokens when the list has an output price', () => {
    const fields = { provider: 'mistral', requested_model: 'mistral-embed', output_tokens: undefined };

    expect(costOf(fields, { input: '0.1', output: '0.1' })).toMatchObject({ central: '0.0001' });
  });

  it.each([
    ['the parts of a breakdown', { cost_breakdown: { input: '999999999999999999', output: '1' } }],
    ['tokens and price', { input_tokens: 1_000_000_000 }],
  ])('is out_of_range when %s exceed the largest figure', (_, fields) => {
    expect(costOf(fields, { input: '999999999999999999', output: '0' })).toBe('out_of_range');
  });

  it('is avoided by limiting the high bound to the largest figure', () => {
    const fields = { provider: 'azure', service_tier: 'priority', input_tokens: 1_000_000_000 };

    expect(costOf(fields, { input: '500000000000000', output: '0' })).toMatchObject({
      central: '500000000000000000',
      high: '999999999999999999.999999999999',
    });
  });

  it('applies to output tokens of a model without an output price', () => {
    expect(costOf({ output_tokens: 5 }, { input: '0.02' })).toBe('price_not_found');
  });

  it.each([
    [{ input_tokens: 10, cached_input_tokens: 8, cache_write_tokens: 3 }],
    [{ output_tokens: 10, reasoning_tokens: 11 }],
  ])('is usage_inconsistent when parts exceed their total: %o', (counts) => {
    const event = { ...call(), ...counts };

    expect(
      assessCost(event, { provider: 'a', model: 'b' }, MID_JULY, {
        prices: onePrice(FULL),
        rules: publishedRules,
      }),
    ).toBe('usage_inconsistent');
  });

  it('applies to calls with tokens of several modalities with different prices', () => {
    const image = { ...FULL, otherModalities: true };

    expect(costOf({ operation: 'image_generation' }, image)).toBe('unsupported_modality');
    expect(costOf({ operation: 'chat' }, image)).toMatchObject({ central: '0.0075' });
  });

  it('applies to models that are charged by hour or page', () => {
    expect(costOf({}, { otherModalities: true })).toBe('unsupported_modality');
  });
});
