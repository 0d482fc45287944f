import fc from 'fast-check';
import { expect, it } from 'vitest';
import limits from '../../../functions/impact/usage/modelLimits.json' with { type: 'json' };
import { fullestReading, LEFT_OUT, unreadLabel } from '../../../functions/impact/usage/unreadUsage.ts';
import { expectNoFaults } from '../../support/faults.ts';
import { call } from '../calls.ts';
import { costOf, FULL } from './costOf.ts';

/** Of a model whose limits are not listed. */
const rangeOf = (fields: Record<string, unknown>, sheet = FULL) => {
  const cost = costOf({ requested_model: 'some-model', ...fields }, sheet);
  if (typeof cost === 'string') throw new Error(cost);
  return { low: Number(cost.low), high: Number(cost.high), uncertain: cost.uncertain };
};

const counts = fc.record({ input: fc.nat(20_000), output: fc.nat(20_000) });
/** How the hidden tokens of a call are priced, from the cheapest way to the dearest. */
const asTokens = [
  (hidden: number) => ({ cached_input_tokens: hidden }),
  (hidden: number) => ({ cached_input_tokens: 0, cache_write_tokens: hidden, cache_write_1h_tokens: 0 }),
  (hidden: number) => ({ cached_input_tokens: 0, cache_write_tokens: hidden, cache_write_1h_tokens: hidden }),
];

it.each(Object.entries(LEFT_OUT))(
  'the range of a call that lacks %s contains its cost with all it can lack',
  (name, most) => {
    const property = fc.property(
      counts,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...asTokens),
      ({ input, output }, part, priced) => {
        const stated = { input_tokens: input, cached_input_tokens: undefined, output_tokens: output };
        const hidden = {
          input: Math.floor(Math.max(0, most.input - input) * part),
          output: Math.floor(Math.max(0, most.output - output) * part),
        };
        const { low, high, uncertain } = rangeOf({ ...stated, unread_usage: [name] });
        const whole = rangeOf({
          ...priced(hidden.input),
          input_tokens: input + hidden.input,
          output_tokens: output + hidden.output,
        });

        expect(uncertain).toContain('unread_usage');
        expect(low).toBeLessThanOrEqual(whole.low + 1e-9);
        expect(high).toBeGreaterThanOrEqual(whole.high - 1e-9);
      },
    );
    fc.assert(property);
  },
);

it.each<[model: string, lacks: string, input: number, most: number]>([
  ['claude-haiku-4-5-20251001', 'cached tokens', 1_000, 200_000],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'cached tokens', 1_000, 200_000],
  ['anthropic.claude-opus-4-1-20250805-v1:0', 'cached tokens', 1_000, 200_000],
  ['anthropic.claude-sonnet-4-6', 'cached tokens', 1_000, 1_000_000],
  ['anthropic.claude-opus-4-8', 'cached tokens', 1_000, 1_000_000],
  ['amazon.nova-pro-v1:0', 'cached tokens', 1_000, 300_000],
  ['gpt-4o-mini-2024-07-18', 'stream', 1_000, 128_000],
  ['gpt-5.4', 'stream', 1_000, 1_050_000],
  // It is beyond the listed limit, which is another one then.
  ['claude-haiku-4-5-20251001', 'cached tokens', 250_000, 1_000_000],
])('a call of %s that lacks %s read at most the context of the model', (model, lacks, input, most) => {
  const reading = fullestReading(call({ input_tokens: input, unread_usage: [lacks] }), model);

  expect(reading?.input_tokens).toBe(most);
});

it('every limit of a model has a source that was read on a day', async () => {
  await expectNoFaults(
    limits,
    ({ models }) => models,
    ({ source, checked, input, output }) =>
      /https:|models\.dev at [\da-f]{8}/.test(source) && /^\d{4}-\d\d-\d\d$/.test(checked) && output < input
        ? []
        : ['is not dated, or has no source'],
  );
});

it('all that a call can lack adds to the other reading of its counts', () => {
  const fields = { input_tokens: 1_000, input_tokens_high: 3_000, output_tokens: 10, output_tokens_high: 20 };
  const { high } = rangeOf({ ...fields, cached_input_tokens: 500, unread_usage: ['thoughts'] });

  // 2,500 at 3, 500 at 0.3, and 65,536 at 15 USD per million.
  expect(high).toBeCloseTo(0.0075 + 0.00015 + 0.98304, 9);
});

it.each([
  ['tokens', { name: 'gen_ai.usage.video.input_tokens', count: 1_200 }, 0.72],
  ['tokens in an object of them', { name: 'acme.usage_details.input_video', count: 1_200 }, 0.72],
  ['tokens of a tool', { name: 'tool_usage.image_gen.output_tokens', count: 1_056 }, 0.6336],
  ['runs of a tool', { name: 'num_server_side_tools_used', count: 2 }, 3.84],
  ['searches', { name: 'image_search_calls', count: 3 }, 5.76],
  ['begun seconds', { name: 'usage.video_seconds', count: 1.5 }, 3.84],
  ['tokens of another model', { name: 'advisor_message_tokens', count: 1_200 }, 0.72],
  ['what has no count, up to a whole context', { name: 'some_tokens' }, 630],
])('%s of an unknown price cost up to the highest published one', (_, unread, most) => {
  const { low, high } = rangeOf({ unread_usage: [unreadLabel(unread, 64)] });

  expect(low).toBeCloseTo(0.0075, 9);
  expect(high).toBeCloseTo(0.0075 + most, 6);
});

it('what has no count costs at most what a whole context and answer of the model do, where its vendor publishes them', () => {
  const model = 'claude-haiku-4-5-20251001';
  const [bounded, plain] = [['some_tokens'], []].map((unread_usage) =>
    rangeOf({
      requested_model: model,
      served_model: model,
      ...(unread_usage.length > 0 && { unread_usage }),
    }),
  );

  // 200,000 and 64,000 tokens at 600 USD per million.
  expect(Number(bounded?.high) - Number(plain?.high)).toBeCloseTo(158.4, 6);
});

it('a long name keeps its end and its count', () => {
  expect(unreadLabel({ name: `${'a'.repeat(80)}_tokens`, count: 12 }, 64)).toMatch(/^a{54}_tokens=12$/);
});
