import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import { call } from '../../calls.ts';

const factors = await loadFactors();
const DAY = new Date('2026-11-20T12:00:00Z');

/** A call that reports units and no tokens. */
const costOf = (provider: string, model: string, units: Record<string, number>) => {
  const tokens = { input_tokens: undefined, output_tokens: undefined };
  const event = call({ provider, requested_model: model, ...tokens, ...units });
  const { cost } = assessImpact(event, DAY, factors);
  return cost === null ? null : [cost.low, cost.central, cost.high];
};

describe('what is sold by the image, second, page or character', () => {
  it.each([
    ['vertex_ai', 'imagen-4.0-generate-001', { images: 2 }, '0.08'],
    ['google', 'veo-3.1-fast-generate-001', { video_seconds: 8 }, '1.2'],
    ['openai', 'sora-2', { video_seconds: 10 }, '1'],
    ['azure', 'mistral-document-ai-2512', { pages: 100 }, '0.3'],
    ['azure', 'tts-1-hd', { characters: 1_000 }, '0.03'],
    ['aws', 'stability.stable-image-core-v1:1', { images: 1 }, '0.04'],
    ['stability', 'sd3.5-large', { images: 1 }, '0.065'],
    ['fal.image', 'fal-ai/flux-pro/v1.1-ultra', { images: 1 }, '0.06'],
    ['black-forest-labs.image', 'flux-kontext-pro', { images: 1 }, '0.04'],
    ['replicate', 'black-forest-labs/flux-schnell', { images: 10 }, '0.03'],
    ['openai', 'gpt-transcribe', { audio_seconds: 60 }, '0.0045'],
    ['elevenlabs', 'scribe_v1', { audio_seconds: 36 }, '0.002199999996'],
    ['assemblyai', 'universal-streaming-english', { audio_seconds: 3_600 }, '0.1500000012'],
    ['deepgram', 'aura-asteria-en', { characters: 1_000 }, '0.015'],
    ['soniox', 'stt-async-v5', { audio_seconds: 3_600 }, '0.1000000008'],
    ['cohere', 'rerank-v4.0-fast', { rerank_searches: 10 }, '0.02'],
    ['runway', 'gen4_turbo', { video_seconds: 5 }, '0.25'],
    ['gcp.gemini', 'gemini-2.5-flash-image', { images: 2 }, '0.078'],
    ['azure', 'whisper', { audio_seconds: 60 }, '0.006'],
    ['azure', 'cohere-rerank-v3.5', { rerank_searches: 10 }, '0.02'],
    ['cohere', 'rerank-v4.0-pro', { rerank_searches: 10 }, '0.025'],
    ['deepgram', 'aura-2-thalia-en', { characters: 1_000 }, '0.03'],
    ['assemblyai', 'universal-2', { audio_seconds: 3_600 }, '0.1500000012'],
    ['voyage', 'rerank-2.5', { input_tokens: 10_000 }, '0.0005'],
  ])('costs of %s %s for %j what two tables state: %s USD', (provider, model, units, usd) => {
    expect(costOf(provider, model, units)).toEqual([usd, usd, usd]);
  });

  it.each([
    ['openai', 'sora-2-pro', { video_seconds: 10 }, ['3', '3', '5']],
    ['google', 'veo-3.0-generate-001', { video_seconds: 10 }, ['2', '4', '4']],
    ['google', 'veo-3.1-fast-generate-preview', { video_seconds: 10 }, ['1', '1.5', '3']],
    ['deepgram', 'nova-3', { audio_seconds: 60_000 }, ['4.3002', '4.3002', '9.2004']],
    ['deepgram', 'nova-2-general', { audio_seconds: 60_000 }, ['4.3002', '4.3002', '5.9004']],
    ['openai', 'dall-e-3', { images: 10 }, ['0.4', '0.4', '1.2']],
    ['azure', 'dall-e-3', { images: 10 }, ['0.4', '0.4', '1.2']],
    ['openai', 'dall-e-2', { images: 10 }, ['0.16', '0.2', '0.2']],
    ['openai', 'gpt-image-1', { images: 10 }, ['0.11', '0.42', '2.5']],
    ['openai', 'gpt-image-1.5-2025-12-16', { images: 10 }, ['0.09', '0.34', '2']],
    ['azure', 'gpt-image-1', { images: 10 }, ['0.11', '0.42', '2.5']],
    ['openai', 'gpt-image-1-mini', { images: 10 }, ['0.05', '0.11', '0.4992']],
    ['azure', 'gpt-image-2', { images: 10 }, ['0.05', '0.53', '2.11']],
    ['fal_ai', 'fal-ai/flux/schnell', { images: 10 }, ['0.03', '0.03', '0.06']],
    ['together_ai', 'black-forest-labs/FLUX.1-dev', { images: 10 }, ['0.25', '0.25', '0.5']],
    ['aws', 'amazon.nova-canvas-v1:0', { images: 10 }, ['0.4', '0.4', '0.8']],
    [
      'elevenlabs',
      'scribe_v2',
      { audio_seconds: 36 },
      ['0.002199999996', '0.002199999996', '0.003399999984'],
    ],
    ['assemblyai', 'best', { audio_seconds: 3_600 }, ['0.119988', '0.119988', '0.370008']],
    ['deepgram', 'flux-general-en', { audio_seconds: 60 }, ['0.0057', '0.00649999998', '0.00769999998']],
    ['deepgram', 'whisper-large', { audio_seconds: 60_000 }, ['4.8', '6', '6']],
    ['elevenlabs', 'eleven_v3', { characters: 1_000 }, ['0.1', '0.1', '0.18']],
    ['elevenlabs', 'eleven_flash_v2_5', { characters: 1_000 }, ['0.05', '0.05', '0.09']],
  ])(
    'costs of %s %s for %j a range where resolution or source decides: %j',
    (provider, model, units, range) => {
      expect(costOf(provider, model, units)).toEqual(range);
    },
  );

  it('charges an image by its tokens where they are reported, and by the image where only images are', () => {
    const tokens = { input_tokens: 50, output_tokens: 1_056 };

    expect(costOf('openai', 'gpt-image-1', { ...tokens, images: 1 })).toEqual(
      costOf('openai', 'gpt-image-1', tokens),
    );
    expect(costOf('openai', 'gpt-image-1', { input_tokens: 50, images: 1 })).toBeNull();
    expect(costOf('openai', 'gpt-5.1', { images: 1 })).toBeNull();
  });

  it.each([
    ['openai', 'gpt-4o-transcribe', ['0.0015', '0.006', '0.0072']],
    ['azure', 'gpt-4o-mini-transcribe', ['0.00075', '0.003', '0.0036']],
    ['openai', 'gpt-4o-mini-tts', ['0.0144', '0.015', '0.015']],
  ])('costs of a minute of %s %s a range around the estimate of its vendor: %j', (provider, model, range) => {
    const minute = { audio_seconds: 60 };

    expect(costOf(provider, model, minute)).toEqual(range);
    // A minute has characters too, and tokens of which nothing says what they are.
    expect(costOf(provider, model, { ...minute, characters: 900 })).toEqual(range);
    expect(costOf(provider, model, { ...minute, input_tokens: 700, output_tokens: 100 })).toEqual(range);
  });

  it.each([
    ['gpt-4o-transcribe', { audio_input_tokens: 600 }],
    ['gpt-4o-mini-tts', { audio_output_tokens: 1_200 }],
  ])(
    'charges %s by its tokens where %j are reported, and its seconds and characters not once more',
    (model, tokens) => {
      const counts = { input_tokens: 700, output_tokens: 1_300, ...tokens };

      const cost = costOf('openai', model, counts);

      expect(cost).not.toBeNull();
      expect(costOf('openai', model, { ...counts, audio_seconds: 60, characters: 900 })).toEqual(cost);
    },
  );

  it.each([
    ['aws', 'amazon.nova-reel-v1:1', { video_seconds: 6 }],
    ['deepgram', 'enhanced', { audio_seconds: 60 }],
  ])('has no cost of %s %s, which one table states alone', (provider, model, units) => {
    expect(costOf(provider, model, units)).toBeNull();
  });
});
