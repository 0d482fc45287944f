import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';
import { createClient, listAttribution } from '../../sdk/typescript/src/index.ts';
import {
  attributionTelemetry,
  createTracker,
  type TrackerOptions,
} from '../../sdk/typescript/tracker/index.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const RESPONSE_ID = 'chatcmpl-0123456789';
const EVENT = { provider: 'openai', requested_model: 'gpt-4o', input_tokens: 10, output_tokens: 2 };

type Answer = () => Response | Promise<Response>;
const accepted: Answer = () => Response.json({ accepted: 1, rejected: 0, results: [] });
const failed =
  (status: number): Answer =>
  () =>
    Response.json({ error_code: 'INTERNAL_ERROR' }, { status });
const refused: Answer = () => Promise.reject(new TypeError('fetch failed'));

interface SentEvent {
  readonly event_id: string;
}

/** A tracker whose batches get one answer after the other, the last one again and again. */
const trackerWith = (answers: readonly Answer[], options: Partial<TrackerOptions> = {}) => {
  const batches: SentEvent[][] = [];
  const drops: [number, string][] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com',
    credential: { apiKey: 'key' },
    retries: 0,
    fetch: async (_, init) => {
      batches.push(JSON.parse(String(init?.body)).events);
      const answer = answers[Math.min(batches.length, answers.length) - 1] ?? accepted;
      return answer();
    },
  });
  const tracker = createTracker({
    client,
    intervalMs: 1,
    onDrop: (count, reason) => drops.push([count, reason]),
    ...options,
  });
  return { tracker, batches, drops };
};

describe('the tracker', () => {
  it('sends the recorded events in one batch, each with an id of its own', async () => {
    const { tracker, batches } = trackerWith([accepted]);
    for (let count = 0; count < 3; count += 1) tracker.record(() => EVENT);

    expect(await tracker.flush(1_000)).toBe(true);
    expect(batches).toHaveLength(1);
    expect(new Set(batches[0]?.map(({ event_id }) => event_id)).size).toBe(3);
    expect(tracker.stats()).toMatchObject({ recorded: 3, sent: 3, queued: 0 });
  });

  it('derives the event id from the response id as the service does, so other observers make no second record', async () => {
    const { tracker, batches } = trackerWith([failed(503), accepted]);
    tracker.record({ ...EVENT, response_id: RESPONSE_ID });
    tracker.record({ ...EVENT, response_id: 'chatcmpl-1' });
    tracker.record({ ...EVENT, response_id: 'chatcmpl-1' });

    expect(await tracker.flush(2_000)).toBe(true);
    const ids = batches[1]?.map(({ event_id }) => event_id) ?? [];
    expect(ids[0]).toBe(eventIdOfCall(RESPONSE_ID));
    // The Python client has this vector in its tests.
    expect(ids[0]).toBe('f43c6fb1-396c-cf21-a695-3eb87e29a5f9');
    // A short id is not unique.
    expect(new Set(ids).size).toBe(3);
    expect(batches[1]).toEqual(batches[0]);
    expect(batches[1]?.[0]).not.toHaveProperty('response_id');
  });

  it.each([
    ['429', failed(429)],
    ['503', failed(503)],
    ['a credential that is refused', failed(401)],
    ['no connection', refused],
    ['a page of a proxy', () => new Response('<html>')],
    ['JSON that is not from the service', () => Response.json(null)],
  ])('keeps a batch after %s, and sends the same events again', async (_, answer) => {
    const { tracker, batches } = trackerWith([answer, accepted]);
    tracker.record(EVENT);

    expect(await tracker.flush(2_000)).toBe(true);
    expect(batches).toHaveLength(2);
    expect(batches[1]).toEqual(batches[0]);
    expect(tracker.stats()).toMatchObject({ sent: 1, dropped: { full: 0, invalid: 0, refused: 0 } });
  });

  it('drops a batch that the service refuses for good, counts it and reports it', async () => {
    const { tracker, drops } = trackerWith([failed(422)]);
    tracker.record(EVENT);

    expect(await tracker.flush(1_000)).toBe(true);
    expect(drops).toEqual([[1, 'refused']]);
    expect(tracker.stats().dropped.refused).toBe(1);
  });

  it('sends a batch that is refused for its body in halves, and drops only what is refused alone', async () => {
    const sent = new Set<string>();
    const tracker = createTracker({
      client: createClient({
        baseUrl: 'https://api.example.com',
        credential: { apiKey: 'key' },
        retries: 0,
        fetch: async (_, init) => {
          const { events }: { events: { requested_model: string }[] } = JSON.parse(String(init?.body));
          if (events.length > 4) return failed(413)();
          if (events.some(({ requested_model: model }) => model === 'bad')) return failed(422)();
          // An outage in the middle of the halves.
          if (sent.size === 5 && events.length > 1) return failed(503)();
          for (const { requested_model: model } of events) sent.add(model);
          return Response.json({ accepted: events.length, rejected: 0, results: [] }, { status: 202 });
        },
      }),
      intervalMs: 1,
      batchSize: 8,
    });
    for (const requested_model of ['1', '2', '3', '4', '5', 'bad', '7', '8']) {
      tracker.record({ ...EVENT, requested_model });
    }
    await tracker.flush(50);

    expect([...sent].toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(tracker.stats()).toMatchObject({ sent: 5, queued: 2, dropped: { refused: 1 } });
  });

  it('drops new events when it is full, so it never grows', async () => {
    const { tracker, drops } = trackerWith([refused], { capacity: 2 });
    for (let count = 0; count < 5; count += 1) tracker.record(EVENT);

    expect(await tracker.flush(20)).toBe(false);
    expect(drops).toEqual([
      [1, 'full'],
      [1, 'full'],
      [1, 'full'],
    ]);
    expect(tracker.stats()).toMatchObject({ recorded: 2, queued: 2, dropped: { full: 3 } });
  });

  it('never throws: neither for an event that cannot be made nor for a faulty callback', () => {
    const { tracker } = trackerWith([accepted], {
      onDrop: () => {
        throw new Error('fault of the caller');
      },
      waitUntil: () => {
        throw new Error('outside of a request');
      },
    });

    expect(() => {
      tracker.record(() => {
        throw new Error('no usage');
      });
      tracker.record({ ...EVENT, tags: ['x'.repeat(20_000)] });
      Reflect.apply(tracker.record, undefined, [undefined]);
      Reflect.apply(tracker.record, undefined, [
        new Proxy({}, { ownKeys: () => [].at(0) ?? Object(null).a.b }),
      ]);
      Reflect.apply(tracker.record, undefined, [{ ...EVENT, input_tokens: 9n }]);
      tracker.record(EVENT);
    }).not.toThrow();
    expect(tracker.stats()).toMatchObject({ recorded: 2, dropped: { invalid: 4 } });
  });

  it('ends a flush on time while the service hangs', async () => {
    const { tracker } = trackerWith([() => new Promise(() => undefined)]);
    tracker.record(EVENT);

    expect(await tracker.flush(20)).toBe(false);
    expect(tracker.stats().queued).toBe(1);
  });

  it('sends events that are recorded during a flush with the same flush', async () => {
    const { tracker, batches } = trackerWith([
      () => {
        if (batches.length === 1) tracker.record(EVENT);
        return accepted();
      },
    ]);
    tracker.record(EVENT);

    expect(await tracker.flush(1_000)).toBe(true);
    expect(batches).toHaveLength(2);
  });

  it('keeps a serverless function alive until everything is sent, with one promise for each burst', async () => {
    const promised: Promise<unknown>[] = [];
    const { tracker, batches } = trackerWith([accepted], {
      intervalMs: 60_000,
      waitUntil: (work) => promised.push(work),
    });
    tracker.record(EVENT);
    tracker.record(EVENT);
    await Promise.all(promised);
    tracker.record(EVENT);
    await Promise.all(promised);

    expect(promised).toHaveLength(2);
    expect(batches.map((events) => events.length)).toEqual([2, 1]);
    expect(tracker.stats()).toMatchObject({ queued: 0 });
  });

  it('records the model calls of AI SDK 7 once, with their usage and without content', async () => {
    const { tracker, batches } = trackerWith([accepted]);
    const model = new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'gpt-4o',
      doGenerate: {
        content: [{ type: 'text', text: 'a secret answer' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 120, noCache: 20, cacheRead: 100, cacheWrite: 0 },
          outputTokens: { total: 30, text: 20, reasoning: 10 },
        },
        warnings: [],
      },
    });

    await generateText({
      model,
      prompt: 'a secret question',
      telemetry: { integrations: [attributionTelemetry(tracker, { attributed_service: 'search' })] },
    });
    await tracker.flush(1_000);

    expect(batches).toHaveLength(1);
    expect(batches[0]).toEqual([
      expect.objectContaining({
        provider: 'openai',
        requested_model: 'gpt-4o',
        input_tokens: 120,
        cached_input_tokens: 100,
        output_tokens: 30,
        reasoning_tokens: 10,
        attributed_service: 'search',
      }),
    ]);
    expect(JSON.stringify(batches)).not.toContain('secret');
  });
});

describe('the tracker with the service', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await sharedInstance();
  });
  afterAll(() => instance.stop());

  it('creates a record for each event', async () => {
    const { acme } = demoTenants(instance.credentials);
    const client = createClient({
      baseUrl: instance.baseUrl,
      credential: { apiKey: acme.api_keys.admin },
    });
    const tracker = createTracker({ client });
    tracker.record({ ...EVENT, attributed_service: 'tracked' });

    expect(await tracker.flush(10_000)).toBe(true);
    await expect
      .poll(async () => (await listAttribution(client, { service: 'tracked' })).data)
      .toEqual([expect.objectContaining({ provider: 'openai', input_tokens: 10 })]);
  });
});
