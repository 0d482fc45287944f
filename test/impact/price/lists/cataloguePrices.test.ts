import { describe, expect, it } from 'vitest';
import {
  bandStart,
  cataloguePricesOf,
  hasOtherModalities,
} from '../../../../functions/impact/price/lists/cataloguePrices.ts';
import { bandsOf } from '../../../../functions/impact/price/priceBands.ts';

const contextBands = (price: Parameters<typeof cataloguePricesOf>[1]) =>
  bandsOf(cataloguePricesOf('openai', price));

describe('the price bands of a model', () => {
  it('are one band of all prices when no price depends on the length of the input', () => {
    const [only, ...others] = contextBands({
      input_mtok: 1,
      cache_read_mtok: 2,
      cache_write_mtok: 3,
      cache_write_1h_mtok: 4,
      output_mtok: 5,
      output_reasoning_mtok: 6,
      requests_kcount: 0.007,
      web_searches_kcount: 0.008,
      input_audio_mtok: 9,
      cache_audio_read_mtok: 10,
      output_audio_mtok: 11,
      input_image_mtok: 12,
      cache_image_read_mtok: 13,
      output_image_mtok: 14,
    });

    expect(others).toEqual([]);
    expect(only.above).toBeLessThan(0);
    expect(only.prices).toMatchObject({
      input: '1',
      cached_input: '2',
      cache_write: '3',
      cache_write_1h: '4',
      output: '5',
      reasoning: '6',
      // The catalogue prices a thousand requests, the service a million.
      request: '7',
      search: '8',
      audio_input: '9',
      cached_audio_input: '10',
      audio_output: '11',
      image_input: '12',
      cached_image_input: '13',
      image_output: '14',
    });
  });

  it('have no price for what the catalogue does not price', () => {
    const [{ prices }] = contextBands({ input_mtok: 1 });

    expect(prices).toMatchObject({ input: '1', cached_input: null, output: null, request: null });
  });

  it('start at each length at which a price changes, shortest first', () => {
    const bands = contextBands({
      input_mtok: {
        base: 1,
        tiers: [
          { start: 200_000, price: 3 },
          { start: 9_000, price: 2 },
        ],
      },
      output_mtok: { base: 10, tiers: [{ start: 200_000, price: 20 }] },
      cache_read_mtok: 0.5,
    });

    expect(
      bands.map(({ above, prices }) => [above, prices.input, prices.output, prices.cached_input]),
    ).toEqual([
      [-1, '1', '10', '0.5'],
      [9_000, '2', '10', '0.5'],
      [200_000, '3', '20', '0.5'],
    ]);
  });

  it('contain no float noise of the catalogue', () => {
    const [{ prices }] = contextBands({ input_mtok: 0.18000000000000002, output_mtok: 0.15 });

    expect(prices).toMatchObject({ input: '0.18', output: '0.15' });
  });
});

describe('a catalogue entry', () => {
  it.each([
    ['input_audio_mtok', true],
    ['output_image_mtok', true],
    ['input_video_mtok', true],
    ['input_mtok', false],
    ['requests_kcount', false],
  ])('with a price for %s has other modalities: %s', (kind, expected) => {
    expect(hasOtherModalities({ output_mtok: 1, [kind]: 1 })).toBe(expected);
  });
});

it.each([
  ['openai', 271_999, 272_000],
  ['aws', 271_999, 272_000],
  ['x-ai', 200_000, 199_999],
  ['google', 200_000, 200_000],
])('starts the long context of %s listed above %i tokens above %i', (provider, listed, start) => {
  expect(bandStart(provider, listed)).toBe(start);
});
