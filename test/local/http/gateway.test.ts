import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Gateway, type InvokeRoute, openGateway } from '../../../local/http/gateway.ts';
import { Problem } from '../../../schemas/problems.ts';

let gateway: Gateway;

beforeEach(async () => {
  gateway = await openGateway(0);
});

afterEach(() => {
  gateway.stop();
});

const route = (timeoutMs = 30_000) => ({
  id: 'api',
  routes: [{ routeKey: 'ANY /it', functionArn: 'arn', timeoutMs }],
});
const respond: InvokeRoute = async () => ({ ok: true, payload: '{"statusCode":200,"body":"done"}' });

describe('the gateway', () => {
  test('holds a request until the functions are ready', async () => {
    const early = fetch(`${gateway.url}/it`);
    await expect.poll(() => gateway.active).toBe(1);
    gateway.serve(route(), () => respond);
    expect(await (await early).text()).toBe('done');
    await gateway.drain();
  });

  test('returns 429 above the throttle of the stage', async () => {
    const throttle = { requestsPerSecond: 0.001, burst: 2 };
    gateway.serve({ ...route(), throttle }, () => respond);
    const replies = [];
    for (let sent = 0; sent < 3; sent += 1) replies.push(await fetch(`${gateway.url}/it`));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    await gateway.drain();
  });

  test('finishes active requests during a drain, and accepts no new requests', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    gateway.serve(route(), () => async (...call) => {
      await finished;
      return respond(...call);
    });
    const active = fetch(`${gateway.url}/it`);
    await expect.poll(() => gateway.active).toBe(1);
    const drained = gateway.drain();
    const rejected = fetch(`${gateway.url}/it`);
    await expect(rejected).rejects.toThrow();
    finish();
    expect(await (await active).text()).toBe('done');
    await drained;
  });
});

const failing: InvokeRoute = async () => ({
  ok: false,
  error: { errorType: 'Error', errorMessage: 'the function broke', trace: [] },
});
const answering =
  (payload: object): InvokeRoute =>
  async () => ({ ok: true, payload: JSON.stringify(payload) });
const never: InvokeRoute = () => new Promise(() => {});
const MEBIBYTE = 1_024 * 1_024;

/** How each answer of the gateway itself comes about. */
const ownAnswers: readonly {
  readonly name: string;
  readonly status: number;
  readonly path?: string;
  readonly body?: Buffer;
  readonly invoke?: InvokeRoute;
  readonly timeoutMs?: number;
  readonly isThrottled?: true;
}[] = [
  { name: 'a path that is not percent-encoded UTF-8', status: 400, path: '/%ff' },
  { name: 'a path without a route', status: 404, path: '/other' },
  { name: 'a body above its limit', status: 413, body: Buffer.alloc(10 * MEBIBYTE + 1) },
  { name: 'an event above the limit of functions', status: 413, body: Buffer.alloc(6 * MEBIBYTE) },
  { name: 'a request above the throttle of the stage', status: 429, isThrottled: true },
  { name: 'a function that fails', status: 500, invoke: failing },
  { name: 'a function whose reply is none', status: 500, invoke: answering({ statusCode: 'x' }) },
  {
    name: 'a function whose header cannot be sent',
    status: 500,
    invoke: answering({ statusCode: 200, headers: { a: '\n' } }),
  },
  { name: 'a function that does not start or answer in time', status: 503, invoke: never, timeoutMs: 20 },
];

const expectProblem = (answer: Response, status: number): void => {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.has('retry-after')).toBe(status === 429 || status === 503);
  expect(answer.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
};

describe('an answer of the gateway itself is a problem document', () => {
  test.each(ownAnswers)('$status: $name', async ({ status, path = '/it', body, ...given }) => {
    const { invoke = respond, timeoutMs, isThrottled } = given;
    const throttle = isThrottled && { requestsPerSecond: 0.001, burst: 1 };
    gateway.serve({ ...route(timeoutMs), throttle }, () => invoke);
    if (isThrottled) await fetch(`${gateway.url}/it`);

    for (const method of body === undefined ? ['GET', 'HEAD'] : ['POST']) {
      const answer = await fetch(`${gateway.url}${path}?a=b`, { method, ...(body && { body }) });
      expectProblem(answer, status);
      const sent = await answer.text();
      expect(sent === '').toBe(method === 'HEAD');
      if (sent === '') continue;
      const trace_id = answer.headers.get('x-trace-id');
      expect(Problem.parse(JSON.parse(sent))).toMatchObject({ status, instance: path, trace_id });
    }
    await gateway.drain();
  });

  test('431: headers above their limit', async () => {
    const answer = await fetch(`${gateway.url}/it`, { headers: { large: 'a'.repeat(11_000) } });
    expectProblem(answer, 431);
    expect(Problem.parse(await answer.json())).toMatchObject({ status: 431 });
  });

  test('400: what is no HTTP', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.end('NOT HTTP\r\n\r\n');
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 .*content-type: application\/problem\+json/s);
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ status: 400 });
  });
});
