import { expect, it } from 'vitest';
import { CALL, eventOf } from './spanEvents.ts';

const usage = (members: Record<string, unknown>) => ({ anthropic: { usage: members } });
const gemini = (members: Record<string, unknown>) => ({ google: { usageMetadata: members } });
const media = (...parts: readonly (readonly [string, number])[]) =>
  parts.map(([modality, tokenCount]) => ({ modality, tokenCount }));

it.each<[string, Record<string, unknown>, object]>([
  ['a tier', { openai: { responseId: 'resp_1', serviceTier: 'priority' } }, { service_tier: 'priority' }],
  ['a tier in usage', usage({ service_tier: 'batch', speed: 'standard' }), { service_tier: 'batch' }],
  ['fast mode', usage({ service_tier: 'standard', speed: 'fast' }), { service_tier: 'fast' }],
  ['a type of traffic', gemini({ trafficType: 'ON_DEMAND_FLEX' }), { service_tier: 'ON_DEMAND_FLEX' }],
  ['where the data stay', usage({ inference_geo: 'us' }), { region: 'us' }],
  [
    'how long the cache holds',
    usage({ cache_creation_input_tokens: 70, cache_creation: { ephemeral_1h_input_tokens: 70 } }),
    { cache_write_tokens: 70, cache_write_1h_tokens: 70 },
  ],
  [
    'how long the cache holds, in a list',
    {
      bedrock: { usage: { cacheWriteInputTokens: 70, cacheDetails: [{ ttl: '1h', inputTokens: 70 }] } },
    },
    { cache_write_tokens: 70, cache_write_1h_tokens: 70 },
  ],
  [
    'media in lists',
    gemini({
      promptTokensDetails: media(['TEXT', 10], ['AUDIO', 80], ['IMAGE', 5]),
      cacheTokensDetails: media(['AUDIO', 20]),
      candidatesTokensDetails: media(['IMAGE', 9]),
      cachedContentTokenCount: 20,
    }),
    {
      ...{ audio_input_tokens: 80, image_input_tokens: 5, cached_audio_input_tokens: 20 },
      ...{ cached_input_tokens: 20, image_output_tokens: 9 },
    },
  ],
  [
    'a medium that no event has',
    gemini({ promptTokensDetails: media(['VIDEO', 80]) }),
    { unread_usage: [expect.stringContaining('video_tokens')] },
  ],
  ['searches', usage({ server_tool_use: { web_search_requests: 2 } }), { web_searches: 2 }],
])('what a provider answers sets the price as an SDK repeats it: %s', (_, metadata, expected) => {
  const text = JSON.stringify(metadata);

  expect(eventOf({ ...CALL, 'ai.response.providerMetadata': text })).toMatchObject([expected]);
});

it.each([
  ['gemini-2.5-flash', 1],
  ['gemini-3-pro-preview', 2],
])('the queries of grounding of %s are %d charged searches', (model, web_searches) => {
  const groundingMetadata = {
    webSearchQueries: ['a query', 'another query'],
    searchEntryPoint: { renderedContent: 'x'.repeat(20_000) },
  };
  const [event] = eventOf({
    ...{ ...CALL, 'gen_ai.request.model': model },
    'ai.response.providerMetadata': JSON.stringify({ google: { groundingMetadata } }),
  });

  expect(event).toMatchObject({ web_searches });
  expect(JSON.stringify(event)).not.toMatch(/query|xxx/);
});

it('a tier of a customer is none of the price', () => {
  expect(eventOf({ ...CALL, 'acme.customer.service_tier': 'priority' })[0]).not.toHaveProperty(
    'service_tier',
  );
});
