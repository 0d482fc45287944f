import { describe, expect, it } from 'vitest';
import { NO_PRICES } from '../../../functions/impact/price/priceSheet.ts';
import { costOf, FULL } from './costOf.ts';

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

  it('can be free where a quota of the account covers searches, unless a contract has a price of them', () => {
    const fields = { requested_model: 'gemini-2.5-flash', output_tokens: 0, web_searches: 1 };

    expect(costOf(fields, sheet)).toMatchObject({ low: '0.003', central: '0.013', high: '0.017' });
    expect(costOf(fields, { ...sheet, source: 'contract' })).toMatchObject({ low: '0.013' });
  });

  it.each([
    // 300 to none of the audio uncached at 10, the cached audio at 1, text at 3 and 0.3.
    ['audio', { audio_input_tokens: 400, cached_input_tokens: 700 }, '0.00139', '0.00328', '0.00328'],
    // Cached images have no price of their own here: they cost as much as cached text.
    ['images', { image_input_tokens: 400, cached_input_tokens: 700 }, '0.00111', '0.00171', '0.00171'],
    [
      'audio, all of it cached',
      { audio_input_tokens: 400, cached_input_tokens: 1_000 },
      '0.00058',
      '0.00058',
      '0.00058',
    ],
    // 300 uncached and 100 cached tokens of audio.
    [
      'audio, of which the event says how much was cached',
      { audio_input_tokens: 400, cached_audio_input_tokens: 100, cached_input_tokens: 700 },
      '0.00328',
      '0.00328',
      '0.00328',
    ],
    [
      'audio, all of which the event says was cached',
      { audio_input_tokens: 400, cached_audio_input_tokens: 400, cached_input_tokens: 700 },
      '0.00139',
      '0.00139',
      '0.00139',
    ],
  ])('have a range if nothing says which of the cached tokens are %s', (_, fields, low, central, high) => {
    expect(costOf({ output_tokens: 0, ...fields }, sheet)).toMatchObject({ low, central, high });
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

  it('price a call of audio whose tokens are reported', () => {
    const audio = { ...sheet, otherModalities: true };
    const fields = { operation: 'audio', output_tokens: 100, audio_output_tokens: 60 };

    expect(costOf({ ...fields, audio_output_tokens: undefined }, audio)).toBe('unsupported_modality');
    expect(costOf(fields, audio)).toMatchObject({ central: '0.006' });
    expect(costOf(fields, { ...audio, audio_output: null })).toBe('unsupported_modality');
  });

  it('of a model for images are images in its output, and can be in its input', () => {
    const images = { input: '5', image_input: '10', output: '40', otherModalities: true };
    const fields = { operation: 'image_edit', requested_model: 'gpt-image-1', output_tokens: 100, images: 1 };

    expect(costOf(fields, images)).toMatchObject({ central: '0.009', high: '0.014' });
    expect(costOf({ ...fields, image_input_tokens: 400 }, images)).toMatchObject({
      ...{ low: '0.011', central: '0.011', high: '0.011' },
    });
    expect(costOf({ ...fields, output_tokens: undefined }, images)).toBe('unsupported_modality');
    // Its text and its images have prices of their own, and nothing says how many tokens are which.
    expect(costOf(fields, { ...images, image_output: '30' })).toBe('unsupported_modality');
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
