import { describe, expect, it } from 'vitest';
import { attributionTelemetry } from '../../sdk/typescript/tracker/aiSdk.ts';
import { trackedFetch } from '../../sdk/typescript/tracker/trackedFetch.ts';
import type { TrackedEvent, Tracker } from '../../sdk/typescript/tracker/tracker.ts';

const recorder = () => {
  const events: TrackedEvent[] = [];
  const tracker: Tracker = {
    record: (event) => events.push(typeof event === 'function' ? event() : event),
    flush: async () => true,
    stats: () => ({ recorded: 0, sent: 0, queued: 0, dropped: { full: 0, invalid: 0, refused: 0 } }),
  };
  return { tracker, events };
};

interface Answer {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly status?: number;
}
const OPENAI = 'https://api.openai.com/v1';
const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash';

/** The events of one call. */
const recordedOf = async (url: string, body: unknown, answer: Answer) => {
  const { tracker, events } = recorder();
  const { body: answered, type = 'application/json', status = 200 } = answer;
  const send = trackedFetch(tracker, {
    fetch: async () => new Response(answered, { status, headers: { 'content-type': type } }),
  });
  const sent = body instanceof FormData ? body : JSON.stringify(body);
  await (await send(url, { method: 'POST', body: sent })).arrayBuffer();
  return events.map(({ latency_ms: _, ...event }) => event);
};
const json = (value: unknown): Answer => ({ body: JSON.stringify(value) });

const form = (members: Readonly<Record<string, string>>): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(members)) made.set(name, value);
  return made;
};

/** A frame of the binary streams of Amazon Bedrock, with the bytes around its JSON. */
const frame = (value: unknown): Uint8Array =>
  new Uint8Array([
    ...[0, 0, 0, 99, 0, 0, 0, 82, 11],
    ...new TextEncoder().encode(':content-type'),
    ...[7, 0, 16],
    ...new TextEncoder().encode(`application/json${JSON.stringify(value)}`),
    ...[222, 173, 190, 239],
  ]);

describe('trackedFetch records', () => {
  it.each<[string, string, unknown, Answer, object]>([
    [
      'a call whose model is in the path, as of Gemini',
      `${GEMINI}:streamGenerateContent?alt=sse`,
      { contents: [] },
      {
        body: 'data: {"modelVersion":"gemini-2.5-flash","usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"totalTokenCount":11}}\n\n',
        type: 'text/event-stream',
      },
      { provider: 'google', requested_model: 'gemini-2.5-flash', input_tokens: 9, output_tokens: 2 },
    ],
    [
      'a file that is transcribed, with the model of its form',
      `${OPENAI}/audio/transcriptions`,
      form({ model: 'whisper-1' }),
      json({ text: 'a', usage: { type: 'duration', seconds: 7.2 } }),
      { requested_model: 'whisper-1', audio_seconds: 8 },
    ],
    [
      'speech, by its characters',
      `${OPENAI}/audio/speech`,
      { model: 'tts-1', input: 'hello' },
      { body: new Uint8Array([255, 251, 10, 0]), type: 'audio/mpeg' },
      { requested_model: 'tts-1', characters: 5 },
    ],
    [
      'a binary stream',
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse-stream',
      {},
      {
        body: Buffer.concat([
          frame({ delta: { text: 'a {secret} answer' } }),
          frame({
            metrics: { latencyMs: 3 },
            usage: { inputTokens: 9, outputTokens: 2, cacheReadInputTokens: 4 },
          }),
        ]),
        type: 'application/vnd.amazon.eventstream',
      },
      { provider: 'aws', input_tokens: 13, cached_input_tokens: 4, output_tokens: 2 },
    ],
    [
      'a failure that states usage',
      `${OPENAI}/chat/completions`,
      { model: 'gpt-4o' },
      { ...json({ error: {}, usage: { prompt_tokens: 9, completion_tokens: 0 } }), status: 500 },
      { status: 'error', input_tokens: 9 },
    ],
  ])('%s', async (_, url, body, answer, expected) => {
    const events = await recordedOf(url, body, answer);

    expect(events).toMatchObject([expected]);
    if (!('status' in expected)) for (const event of events) expect(event.status ?? 'ok').not.toBe('error');
  });

  it.each([
    'messages/count_tokens',
    'responses/input_tokens',
    'moderations',
    'fine_tuning/jobs',
    'realtime/sessions',
  ])('nothing of %s, which names a model and calls none', async (path) => {
    expect(await recordedOf(`${OPENAI}/${path}`, { model: 'gpt-4o' }, json({ id: 'a' }))).toEqual([]);
  });
});

describe('attributionTelemetry', () => {
  const call = { provider: 'openai.chat', modelId: 'gpt-4o' };
  it.each<[string, object, object]>([
    ['no usage', call, { provider: 'openai', status: 'incomplete' }],
    ['usage that is null', { ...call, usage: null }, { status: 'incomplete' }],
    ['no provider', { modelId: 'gpt-4o', usage: { inputTokens: 9, outputTokens: 2 } }, { input_tokens: 9 }],
    [
      'counts that are no numbers',
      { ...call, usage: { inputTokens: Number.NaN, outputTokens: 2 } },
      { output_tokens: 2 },
    ],
    [
      'counts that are null',
      { ...call, usage: { inputTokens: null, outputTokens: null } },
      { status: 'incomplete' },
    ],
  ])('keeps a call with %s', (_, odd, expected) => {
    const { tracker, events } = recorder();
    Reflect.apply(attributionTelemetry(tracker).onLanguageModelCallEnd, undefined, [odd]);

    expect(events).toMatchObject([{ requested_model: 'gpt-4o', ...expected }]);
    for (const count of Object.values(events[0] ?? {})) expect(count).not.toBeNaN();
  });

  it.each([[{ tokens: Number.NaN }], [undefined]])('keeps an embedding with the usage %s', (usage) => {
    const { tracker, events } = recorder();
    Reflect.apply(attributionTelemetry(tracker).onEmbedEnd, undefined, [{ ...call, usage }]);

    expect(events).toEqual([{ provider: 'openai', requested_model: 'gpt-4o', operation: 'embeddings' }]);
  });
});
