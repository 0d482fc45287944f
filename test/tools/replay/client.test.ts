import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { RequestAborted, RequestRejected, ServiceUnreachable } from '../../../tools/client/errors.ts';
import { isRetryable, parseRetryAfter, retryDelayMs } from '../../../tools/client/retry.ts';
import { createClient, type ServiceClient } from '../../../tools/client/serviceClient.ts';
import { type ContractServer, startContractServer } from './contractServer.ts';

let server: ContractServer;
let client: ServiceClient;
let waits: number[];

beforeEach(async () => {
  server = await startContractServer();
  waits = [];
  client = createClient({
    baseUrl: server.url,
    apiKey: 'a-key',
    transport: { random: () => 0.5, wait: async (milliseconds) => void waits.push(milliseconds) },
  });
});
afterEach(() => server.close());

const events = (count: number): InvocationEvent[] =>
  Array.from({ length: count }, (_, index) =>
    InvocationEvent.parse({
      event_id: `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`,
      ingestion_layer: 'gateway',
      ingestion_timestamp: new Date(Date.UTC(2026, 2, 1, 0, 0, index)).toISOString(),
      provider: 'openai',
      requested_model: 'gpt-5',
      input_tokens: 1_000,
      output_tokens: 10,
    }),
  );

const march = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 2, 31) };

describe('postBatch', () => {
  it('waits at least Retry-After on 429 and retries with the same idempotency key', async () => {
    server.faults.push({ throttle: 2 }, { throttle: 3 });

    const answer = await client.postBatch(events(3));

    expect(answer.accepted).toBe(3);
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThan(2_000);
    expect(waits[1]).toBeGreaterThan(3_000);
    expect(new Set(server.keys).size).toBe(1);
    expect(server.keys).toHaveLength(3);
  });

  it('retries with the same key after 503 and broken connections, and adds each event once', async () => {
    server.faults.push('unavailable', 'dropped before', 'dropped after');

    const answer = await client.postBatch(events(3));

    expect(answer.accepted).toBe(3);
    expect(server.keys).toHaveLength(4);
    expect(new Set(server.keys).size).toBe(1);
    expect(server.batches).toEqual([3]);
  });

  it('uses another idempotency key for other events', async () => {
    await client.postBatch(events(2));
    await client.postBatch(events(3));

    expect(new Set(server.keys).size).toBe(2);
  });

  it('keeps retrying after five throttled responses', async () => {
    server.faults.push(...Array.from({ length: 5 }, () => ({ throttle: 60 })));

    const answer = await client.postBatch(events(1));

    expect(answer.accepted).toBe(1);
  });

  it('throws ServiceUnreachable when the service does not answer', async () => {
    await server.close();

    const sending = client.postBatch(events(1));

    await expect(sending).rejects.toThrow(ServiceUnreachable);
  });

  it('does not retry a rejected request', async () => {
    const otherClient = createClient({ baseUrl: server.url, apiKey: 'other' });

    const sending = otherClient.postBatch(events(1));

    await expect(sending).rejects.toThrow(RequestRejected);
    await expect(sending).rejects.toThrow('401 INVALID_CREDENTIALS');
    expect(server.keys).toEqual([]);
  });

  it('throws RequestAborted when the caller aborts during a wait', async () => {
    server.faults.push({ throttle: 9_999 });
    const caller = new AbortController();
    const abortingClient = createClient({
      baseUrl: server.url,
      apiKey: 'a-key',
      transport: { wait: async () => caller.abort() },
    });

    await expect(abortingClient.postBatch(events(1), caller.signal)).rejects.toThrow(RequestAborted);
  });
});

describe('records', () => {
  it('follows cursors to the last page', async () => {
    await client.postBatch(events(450));

    const ids: string[] = [];
    for await (const { event_id } of client.records(march, 'oldest first')) ids.push(event_id);

    expect(ids).toEqual(events(450).map(({ event_id }) => event_id));
    expect(server.lists).toHaveLength(3);
  });

  it('returns the newest record first on request', async () => {
    await client.postBatch(events(3));

    const first = await client.records(march, 'newest first').next();

    expect(first.value?.event_id).toBe(events(3)[2]?.event_id);
  });
});

describe('checkHealth', () => {
  it('accepts any response', async () => {
    const wrongPathClient = createClient({ baseUrl: `${server.url}/elsewhere`, apiKey: 'a-key' });

    await expect(wrongPathClient.checkHealth()).resolves.toBeUndefined();
  });

  it('throws ServiceUnreachable when nothing listens', async () => {
    await server.close();

    await expect(client.checkHealth()).rejects.toThrow(ServiceUnreachable);
  });
});

describe('retry rules', () => {
  it.each([0, 0.5, 0.999])('never waits less than Retry-After (random number %d)', (random) => {
    expect(retryDelayMs(1, 4, random)).toBeGreaterThanOrEqual(4_000);
  });

  it('backs off up to a limit without Retry-After', () => {
    const longest = [1, 2, 3, 30].map((attempt) => retryDelayMs(attempt, undefined, 1));

    expect(longest).toEqual([500, 1_000, 2_000, 10_000]);
  });

  it.each([
    ['7', 7],
    [null, undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-1', undefined],
  ])('parses Retry-After %j as %j', (header, seconds) => {
    expect(parseRetryAfter(header)).toBe(seconds);
  });

  it.each([
    [409, { error_code: 'IDEMPOTENCY_IN_PROGRESS' }, true],
    [409, { error_code: 'CONFLICT' }, false],
    [404, undefined, false],
    [429, undefined, true],
    [500, undefined, true],
    [502, undefined, true],
  ] as const)(
    'after status %i with the problem %j, it is %s that a repetition can succeed',
    (status, problem, isWorth) => {
      expect(isRetryable(status, problem)).toBe(isWorth);
    },
  );
});
