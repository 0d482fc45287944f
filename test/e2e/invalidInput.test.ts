import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../schemas/problems.ts';
import { expectProblem, type Service } from '../platform/apiDocs/contract/expectConforming.ts';
import { OpenApiDocument } from '../platform/apiDocs/contract/openapiDocument.ts';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';
import { rawRequest } from '../support/rawRequest.ts';
import {
  badCredentials,
  badFilters,
  eventWith,
  invalidMembers,
  malformedBodies,
  padToBytes,
} from './invalidInputs.ts';

const SINGLE = '/api/v1/invocations';
const BATCH = '/api/v1/invocations/batch';
const LIST = '/v1/attribution';

let instance: Instance;
let service: Service;
/** Keys of the tenant that sends only invalid requests. */
let keys: { ingest: string; read: string };

beforeAll(async () => {
  instance = await startInstance({ environment: UNLIMITED });
  const { baseUrl, credentials } = instance;
  const { acme: tenant } = demoTenants(credentials);
  keys = tenant.api_keys;
  const document = OpenApiDocument.parse((await call(baseUrl, '/openapi.json')).body);
  service = { baseUrl, document, internals: Object.values(credentials.tables) };
});
afterAll(() => instance?.stop());

const expectProblemCode = (answer: Answer, code: ErrorCode): void => {
  const problem = expectProblem(answer, service, answer.status === 401 ? undefined : 'acme');
  expect(problem.error_code, problem.detail).toBe(code);
  expect(answer.headers.get('ratelimit-remaining') === null).toBe(answer.status === 401);
};

const expectRejected = async (code: ErrorCode, path: string, request: Request): Promise<void> => {
  expectProblemCode(await call(service.baseUrl, path, { key: keys.ingest, ...request }), code);
};

describe('request body', () => {
  it.each(malformedBodies)('returns INVALID_REQUEST for a body %s', async (_, body) => {
    await expectRejected('INVALID_REQUEST', SINGLE, { body });
    await expectRejected('INVALID_REQUEST', BATCH, { body });
  });

  it.each<[string, unknown]>([
    ['an array', []],
    ['an array of events', [someEvent()]],
    ['null', null],
    ['a number', 7],
    ['text', '"text"'],
    ['an empty object', {}],
  ])('returns VALIDATION_FAILED for %s', async (_, body) => {
    await expectRejected('VALIDATION_FAILED', SINGLE, { body });
    await expectRejected('VALIDATION_FAILED', BATCH, { body });
  });

  it.each([
    ['one byte over 256 KiB', SINGLE, padToBytes(JSON.stringify(someEvent()), 256 * 1_024 + 1)],
    ['257 KiB of text', SINGLE, eventWith(`"note":"${'x'.repeat(257 * 1_024)}"`)],
    [
      'one byte over 5 MiB',
      BATCH,
      padToBytes(JSON.stringify({ events: [someEvent()] }), 5 * 1_024 * 1_024 + 1),
    ],
  ])('returns PAYLOAD_TOO_LARGE for %s', async (_, path, body) => {
    await expectRejected('PAYLOAD_TOO_LARGE', path, { body });
  });

  it.each([
    // Limits: Lambda 6 MB, API Gateway 10 MB. The gateway responds in both cases, before authentication.
    ['7 MB', 7_000_000],
    ['11 MB', 11_000_000],
  ])('returns 413 of the gateway for %s', async (_, bytes) => {
    const body = padToBytes(JSON.stringify({ events: [someEvent()] }), bytes);

    const answer = await call(service.baseUrl, BATCH, { key: keys.ingest, body });

    expect(answer).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE', instance: BATCH } });
  });

  it.each([
    ['1,001 events', { events: Array.from({ length: 1_001 }, () => someEvent()) }],
    ['no events', { events: [] }],
    ['events that are not a list', { events: { 0: someEvent() } }],
  ])('returns VALIDATION_FAILED for a batch with %s', async (_, body) => {
    await expectRejected('VALIDATION_FAILED', BATCH, { body });
  });
});

describe('event', () => {
  it.each(invalidMembers)('returns VALIDATION_FAILED with a pointer for %s', async (_, members) => {
    const answer = await call(service.baseUrl, SINGLE, { key: keys.ingest, body: someEvent(members) });

    expectProblemCode(answer, 'VALIDATION_FAILED');
    expect(answer.body['errors']).toMatchObject(
      expect.arrayContaining([
        { pointer: expect.stringContaining(`/${Object.keys(members)[0]}`), detail: expect.any(String) },
      ]),
    );
  });
});

describe('GET /v1/attribution', () => {
  it.each(badFilters)('returns INVALID_FILTER for %s', async (query) => {
    await expectRejected('INVALID_FILTER', `${LIST}?${query}`, { key: keys.read });
  });

  it.each([
    'cursor=',
    'cursor=abc',
    'cursor=a.b',
    `cursor=${'A'.repeat(5_000)}`,
    'cursor=%00',
    'cursor=a.b&cursor=a.b',
  ])('returns INVALID_CURSOR for %.20s', async (query) => {
    await expectRejected('INVALID_CURSOR', `${LIST}?${query}`, { key: keys.read });
  });

  it.each([
    'occurred_at[gte]=9999-12-31T23:59:59Z',
    'occurred_at[lt]=0001-01-01T00:00:00Z',
    'occurred_at[lt]=1970-01-01T00:00:00%2B23:59',
  ])('returns an empty page for a time range without records: %s', async (query) => {
    const answer = await call(service.baseUrl, `${LIST}?${query}`, { key: keys.read });

    expect(answer).toMatchObject({
      status: 200,
      body: { data: [], page: { next_cursor: null, has_more: false } },
    });
  });

  it.each(['/%zz', `${LIST}/%E0%A4%A`])(
    'returns 400 of the gateway for the malformed path %s',
    async (path) => {
      const answer = await call(service.baseUrl, path, { key: keys.read });

      expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_REQUEST', instance: path } });
    },
  );
});

describe('request headers', () => {
  const ask = (...lines: [string, string][]) => rawRequest(`${service.baseUrl}${LIST}`, 'GET', lines);

  it('are case-insensitive', async () => {
    const answers = await Promise.all([
      ask(['X-API-KEY', keys.read]),
      ask(['x-api-key', keys.read]),
      ask(['AUTHORIZATION', `bearer ${keys.read}`]),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each(badCredentials)('return 401 for %s', async (_, lines) => {
    const answer = await ask(...lines(keys.read));

    expect(answer).toMatchObject({
      status: 401,
      headers: {
        'content-type': 'application/problem+json',
        'x-amzn-remapped-www-authenticate': 'Bearer',
      },
    });
    expect(JSON.parse(answer.text)).toMatchObject({
      error_code: 'INVALID_CREDENTIALS',
      www_authenticate: 'Bearer',
      trace_id: answer.headers['x-trace-id'],
    });
  });

  it('return 400 for a missing or malformed Idempotency-Key', async () => {
    const lines: [string, string][] = [
      ['X-API-Key', keys.ingest],
      ['Content-Type', 'application/json'],
    ];
    const send = (...more: [string, string][]) =>
      rawRequest(`${service.baseUrl}${SINGLE}`, 'POST', [...lines, ...more], '{}');

    expect((await send()).status).toBe(400);
    expect((await send(['Idempotency-Key', 'a b'])).status).toBe(400);
    expect((await send(['IDEMPOTENCY-KEY', 'a'])).status).toBe(422);
  });

  it('continue the trace of traceparent in success and error responses', async () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${id}-00f067aa0ba902b7-01` };

    const good = await call(service.baseUrl, LIST, { key: keys.read, headers });
    const bad = await call(service.baseUrl, `${LIST}?limit=0`, { key: keys.read, headers });
    const unknown = await call(service.baseUrl, '/nowhere', { headers });

    expect([good, bad, unknown].map((answer) => answer.headers.get('x-trace-id'))).toEqual([id, id, id]);
    expect(bad.body['trace_id']).toBe(id);
  });

  it.each(['', 'banana', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x'.repeat(4_000)])(
    'start a new trace for the traceparent %.24j',
    async (traceparent) => {
      const answer = await call(service.baseUrl, LIST, { key: keys.read, headers: { traceparent } });

      expect(answer.headers.get('x-trace-id')).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    },
  );
});

describe('after all rejected requests', () => {
  it('no record, claim, stored response or queue message exists', async () => {
    await instance.runtime.idle();
    const engines = enginesOf(instance.credentials);

    const rows = await Promise.all(['ledger', 'claims', 'idempotency'].map(engines.rows));
    const depths = await engines.depths();
    const list = await call(service.baseUrl, LIST, { key: keys.read });
    engines.close();

    expect(rows).toEqual([[], [], []]);
    expect(depths).toHaveProperty('QueueAccepted');
    expect(Object.entries(depths).filter(([, depth]) => depth > 0)).toEqual([]);
    expect(list.body['data']).toEqual([]);
  });
});
