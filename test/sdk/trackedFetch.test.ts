import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../sdk/typescript/src/index.ts';
import {
  createTracker,
  type TrackedEvent,
  type Tracker,
  trackedFetch,
} from '../../sdk/typescript/tracker/index.ts';

const CHAT = {
  id: 'chatcmpl-1',
  model: 'gpt-4o-2024-08-06',
  service_tier: 'default',
  choices: [{ message: { content: 'a secret answer' } }],
  usage: {
    prompt_tokens: 120,
    completion_tokens: 30,
    prompt_tokens_details: { cached_tokens: 100 },
    completion_tokens_details: { reasoning_tokens: 10 },
  },
};
const stream = (...events: unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** A tracker that keeps what it would send. */
const recorder = () => {
  const events: TrackedEvent[] = [];
  const tracker: Tracker = {
    record: (event) => events.push(typeof event === 'function' ? event() : event),
    flush: async () => true,
    stats: () => ({ recorded: 0, sent: 0, queued: 0, dropped: { full: 0, invalid: 0, refused: 0 } }),
  };
  return { tracker, events };
};

const ask = { method: 'POST', body: JSON.stringify({ model: 'gpt-4o', messages: ['a secret question'] }) };

/** Sends one call whose response arrives in small pieces. */
const exchange = async (text: string, type: string, status = 200, url = 'https://api.openai.com/v1/x') => {
  const { tracker, events } = recorder();
  const bytes = new TextEncoder().encode(text);
  const pieces = ReadableStream.from(
    (function* () {
      for (let start = 0; start < bytes.length; start += 7) yield bytes.slice(start, start + 7);
    })(),
  );
  const send = trackedFetch(tracker, {
    fetch: async () => new Response(pieces, { status, headers: { 'content-type': type } }),
    event: { attributed_service: 'search' },
  });
  const response = await send(url, ask);
  return { received: await response.text(), status: response.status, events };
};

describe('trackedFetch', () => {
  it('records the usage of an OpenAI response and hands on the response unchanged', async () => {
    const text = JSON.stringify(CHAT);
    const { received, events } = await exchange(text, 'application/json');

    expect(received).toBe(text);
    expect(events).toEqual([
      {
        provider: 'openai',
        requested_model: 'gpt-4o',
        response_id: 'chatcmpl-1',
        served_model: 'gpt-4o-2024-08-06',
        service_tier: 'default',
        input_tokens: 120,
        cached_input_tokens: 100,
        output_tokens: 30,
        reasoning_tokens: 10,
        latency_ms: expect.any(Number),
        attributed_service: 'search',
      },
    ]);
  });

  it('records the usage of an OpenAI stream', async () => {
    const text = `${stream(
      { model: 'gpt-4o', choices: [{ delta: { content: 'secret' } }], usage: null },
      { model: 'gpt-4o', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    )}data: [DONE]\n\n`;
    const { received, events } = await exchange(text, 'text/event-stream; charset=utf-8');

    expect(received).toBe(text);
    expect(events).toMatchObject([{ input_tokens: 5, output_tokens: 2, served_model: 'gpt-4o' }]);
    expect(events[0]).not.toHaveProperty('status');
  });

  it('adds the cached tokens of Anthropic, which it counts beside its input tokens', async () => {
    const start = {
      input_tokens: 3,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 7,
      output_tokens: 1,
    };
    const { events } = await exchange(
      stream(
        { type: 'message_start', message: { model: 'claude-sonnet-4-5', usage: start } },
        { type: 'content_block_delta', delta: { text: 'secret' } },
        { type: 'message_delta', usage: { output_tokens: 12 } },
      ),
      'text/event-stream',
      200,
      'https://api.anthropic.com/v1/messages',
    );

    expect(events).toMatchObject([
      {
        provider: 'anthropic',
        input_tokens: 50,
        cached_input_tokens: 40,
        cache_write_tokens: 7,
        output_tokens: 12,
      },
    ]);
  });

  it('records a stream without usage as incomplete', async () => {
    const { events } = await exchange(stream({ model: 'gpt-4o', choices: [] }), 'text/event-stream');

    expect(events).toMatchObject([{ requested_model: 'gpt-4o', status: 'incomplete' }]);
  });

  it('records an aborted stream once, as incomplete, and cancels the call', async () => {
    const { tracker, events } = recorder();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(stream({ model: 'gpt-4o' }))),
      cancel: () => {
        isCancelled = true;
      },
    });
    const send = trackedFetch(tracker, {
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const reader = (await send('https://api.openai.com/v1/x', ask)).body?.getReader();
    await reader?.read();
    await reader?.cancel();

    expect(isCancelled).toBe(true);
    expect(events).toMatchObject([{ status: 'incomplete' }]);
  });

  it.each([
    ['a failed call', JSON.stringify({ error: {} }), 'application/json', 429],
    ['an image', 'binary', 'image/png', 200],
  ])('records nothing of %s', async (_, text, type, status) => {
    const { received, events, status: got } = await exchange(text, type, status);

    expect([received, got, events]).toEqual([text, status, []]);
  });

  it.each([
    ['api.openai.com', 'openai', 0],
    ['eu.api.openai.com', 'openai', 0],
    ['api.anthropic.com', 'anthropic', 0],
    ['my-resource.openai.azure.com', 'azure', 0],
    ['my-resource.cognitiveservices.azure.com', 'azure', 0],
    ['my-resource.services.ai.azure.com', 'azure', 0],
    ['my-gateway.azure-api.net', 'my-gateway.azure-api.net', 1],
    ['notopenai.com', 'notopenai.com', 1],
    ['127.0.0.1', '127.0.0.1', 1],
  ])('names the provider behind %s as %s, and asks for an unknown one', async (host, provider, warnings) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { events } = await exchange(JSON.stringify(CHAT), 'application/json', 200, `https://${host}/v1/x`);
    const asked = warn.mock.calls.filter(([text]) => String(text).includes(host)).length;
    warn.mockRestore();

    expect(events).toMatchObject([{ provider }]);
    expect(asked).toBe(warnings);
  });

  it.each([
    ['/openai/deployments/chat%20eu/chat/completions?api-version=2024-10-21', {}, 'chat eu'],
    ['/openai/deployments/chat-eu/chat/completions', { model: '' }, 'chat-eu'],
    ['/model/us.amazon.nova-pro-v1%3A0/converse-stream', {}, 'us.amazon.nova-pro-v1:0'],
    [
      '/model/arn%3Aaws%3Abedrock%3A%3A%3Ainference-profile%2Fus.amazon.nova-pro-v1%3A0/converse',
      {},
      'arn:aws:bedrock:::inference-profile/us.amazon.nova-pro-v1:0',
    ],
    ['/openai/deployments/chat-eu/chat/completions', { model: 'gpt-4o' }, 'gpt-4o'],
    ['/openai/models/chat-eu', {}, undefined],
  ])('takes the model of a call to %s with %j for %s', async (path, body, model) => {
    const { tracker, events } = recorder();
    const send = trackedFetch(tracker, { fetch: async () => Response.json({ usage: CHAT.usage }) });
    const url = `https://my-resource.openai.azure.com${path}`;
    await (await send(url, { method: 'POST', body: JSON.stringify(body) })).text();

    expect(events.map(({ requested_model }) => requested_model)).toEqual(model === undefined ? [] : [model]);
  });

  it('hands on a response that it cannot read', async () => {
    const { received, events } = await exchange('{"usage": {', 'application/json');

    expect(received).toBe('{"usage": {');
    expect(events).toHaveLength(1);
  });

  it('rejects as the wrapped fetch does', async () => {
    const { tracker, events } = recorder();
    const send = trackedFetch(tracker, { fetch: () => Promise.reject(new TypeError('fetch failed')) });

    await expect(send('https://api.openai.com/v1/x', ask)).rejects.toThrow('fetch failed');
    expect(events).toEqual([]);
  });
});

describe('trackedFetch while the service', () => {
  type Behaviour = (response: ServerResponse) => void;
  const behaviours: Record<string, Behaviour> = {
    hangs: () => undefined,
    'is slow': (response) => void setTimeout(() => response.writeHead(503).end(), 200),
    refuses: (response) => response.writeHead(429, { 'retry-after': '30' }).end('{}'),
    'answers nonsense': (response) => response.writeHead(200).end('<html>nonsense'),
    'breaks connections': (response) => response.destroy(),
  };
  let behaviour: Behaviour = () => undefined;
  const service = createServer((request, response) => {
    request.resume();
    behaviour(response);
  });
  const provider = createServer((request, response) => {
    request
      .resume()
      .once('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(CHAT)));
  });
  const urlOf = (server: typeof service): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeAll(async () => {
    await Promise.all(
      [service, provider].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))),
    );
  });
  afterAll(() => {
    for (const server of [service, provider]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const CALLS = 150;
  /** The time of one call, in milliseconds. Its answer is compared. */
  const timeOf = async (send: typeof fetch): Promise<number> => {
    const startedAt = performance.now();
    const response = await send(`${urlOf(provider)}/v1/chat/completions`, ask);
    expect(await response.json()).toEqual(CHAT);
    return performance.now() - startedAt;
  };
  const median = (times: number[]): number =>
    times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

  it.each(Object.keys(behaviours))('%s, calls have the same results at the same speed', async (name) => {
    behaviour = behaviours[name] ?? behaviour;
    const client = createClient({ baseUrl: urlOf(service), credential: { apiKey: 'key' } });
    const tracker = createTracker({ client, intervalMs: 5, batchSize: 20, capacity: 100 });
    const send = trackedFetch(tracker);
    const times = { plain: [0], tracked: [0] };
    // In turn, so that other work of the machine disturbs both.
    for (let count = 0; count < CALLS; count += 1) {
      times.plain.push(await timeOf(fetch));
      times.tracked.push(await timeOf(send));
    }
    const [plain, tracked] = [median(times.plain), median(times.tracked)];
    process.stdout.write(`service ${name}: median of a call ${(tracked / plain).toFixed(2)} times as long\n`);
    const { recorded, queued, dropped } = tracker.stats();

    // A call that waited for the service would take 100 times as long. Other processes disturb smaller differences.
    expect(tracked).toBeLessThan(plain * 3 + 5);
    expect(recorded + dropped.full).toBe(CALLS);
    expect(queued).toBeLessThanOrEqual(100);
  });
});
