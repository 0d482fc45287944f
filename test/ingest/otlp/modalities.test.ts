import { expect, it } from 'vitest';
import { CALL, eventOf } from './spanEvents.ts';

const observed = (usage: Record<string, number>) =>
  eventOf({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': 'gemini-2.5-flash',
    'langfuse.observation.usage_details': JSON.stringify(usage),
  })[0];
const nothing = { input: 0, output: 0 };

it.each<[string, Record<string, number>, object]>([
  [
    'text',
    { ...nothing, total: 1_200, input_modality_TEXT: 1_000, output_modality_TEXT: 200 },
    { input_tokens: 1_000, output_tokens: 200 },
  ],
  [
    'text, by number',
    { ...nothing, total: 1_200, input_modality_1: 1_000, output_modality_1: 200 },
    { input_tokens: 1_000, output_tokens: 200 },
  ],
  [
    'text and audio',
    {
      ...nothing,
      total: 1_300,
      input_modality_TEXT: 100,
      input_modality_AUDIO: 1_000,
      output_modality_TEXT: 200,
    },
    { input_tokens: 1_100, audio_input_tokens: 1_000, output_tokens: 200 },
  ],
  [
    'text and images, by number',
    { ...nothing, total: 1_300, input_modality_1: 100, input_modality_2: 1_000, output_modality_1: 200 },
    { input_tokens: 1_100, image_input_tokens: 1_000, output_tokens: 200 },
  ],
  [
    'cached text',
    {
      ...{ ...nothing, total: 1_200, input_modality_TEXT: 600, output_modality_TEXT: 200 },
      ...{ cached_modality_TEXT: 400, cached_content_token_count: 400 },
    },
    { input_tokens: 1_000, cached_input_tokens: 400, output_tokens: 200 },
  ],
  [
    'thoughts beside text',
    {
      ...nothing,
      total: 1_500,
      input_modality_TEXT: 1_000,
      output_modality_TEXT: 200,
      thoughts_token_count: 300,
    },
    { input_tokens: 1_000, output_tokens: 500, reasoning_tokens: 300 },
  ],
  [
    'wholes that are the total',
    { input: 1_000, output: 200, total: 1_200, input_modality_TEXT: 1_000, output_modality_TEXT: 200 },
    { input_tokens: 1_000, output_tokens: 200 },
  ],
])(
  'tokens that Langfuse takes from the input and output of Vertex AI by medium are added: %s',
  (_, usage, expected) => {
    const event = observed(usage);

    expect(event).toMatchObject(expected);
    expect(event).not.toHaveProperty('unread_usage');
    expect(event).not.toHaveProperty('output_tokens_high');
  },
);

it('a medium that no event has is named', () => {
  const usage = {
    ...nothing,
    total: 1_200,
    input_modality_TEXT: 100,
    input_modality_VIDEO: 900,
    output_modality_TEXT: 200,
  };

  expect(observed(usage)).toMatchObject({ unread_usage: [expect.stringContaining('VIDEO')] });
});

it.each([
  [{ cached_prompt_text_tokens: 40 }, 40],
  [{ cached_prompt_text_tokens: 0 }, 0],
  [{ 'cached_tokens_details.text_tokens': 40, 'cached_tokens_details.audio_tokens': 8 }, 48],
  [{ cached_tokens: 64, cached_prompt_text_tokens: 40 }, 64],
  [{ 'cache_read.input_tokens': 64, 'text.cache_read.input_tokens': 40 }, 64],
])('cached tokens that are stated by medium only are all cached tokens: %o', (usage, cached_input_tokens) => {
  const stated = Object.entries(usage).map(([name, count]) => [`gen_ai.usage.${name}`, count]);

  expect(eventOf({ ...CALL, ...Object.fromEntries(stated) })).toMatchObject([{ cached_input_tokens }]);
});
