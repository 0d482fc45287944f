import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Problem } from '../../schemas/problems.ts';
import { startFixture } from './runningFixture.ts';
import { logicalId } from './stackFixture.ts';

const running = await startFixture({ LOCAL_METER: '1', EXTRA: 'given' });

afterAll(() => running.stop());

/** What the handler of the fixture returns about its invocation. */
const InvocationInfo = z.object({
  context: z.record(z.string(), z.string().or(z.boolean())),
  remaining: z.number(),
  invocations: z.number(),
  variables: z.record(z.string(), z.string()),
});
const readInvocation = async () => InvocationInfo.parse(await (await running.call('/do/context')).json());

/** What a problem of the gateway says, which its own tests state in full. */
const problemOf = async (response: Response) => {
  const { status, error_code: code } = Problem.parse(await response.json());
  expect(response.status).toBe(status);
  return { status, code };
};

describe('the gateway', () => {
  test('selects the route and passes the request as an event', async () => {
    const fixed = await (await running.call('/do/fixed?a=1')).json();
    const greedy = await (await running.call('/files/a/b%20c')).json();
    expect(fixed).toMatchObject({ routeKey: 'GET /do/fixed', rawQueryString: 'a=1' });
    expect(greedy).toMatchObject({ routeKey: 'GET /files/{path+}', pathParameters: { path: 'a/b c' } });
  });

  test.each([
    ['/nowhere', 404, 'NOT_FOUND'],
    ['/do/%zz', 400, 'INVALID_REQUEST'],
    ['/do/throw', 500, 'INTERNAL_ERROR'],
    ['/do/crash', 500, 'INTERNAL_ERROR'],
    ['/do/badheader', 500, 'INTERNAL_ERROR'],
  ])('answers %s with %i and the problem %s', async (path, status, code) => {
    const response = await running.call(path);
    expect(await problemOf(response)).toEqual({ status, code });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('answers a body above 10 MiB, and one above the Lambda limit, with 413', async () => {
    const responses = await Promise.all([
      running.post('/do/echo', Buffer.alloc(10 * 1024 * 1024 + 1)),
      running.post('/do/echo', Buffer.alloc(7 * 1024 * 1024, 'a')),
    ]);
    const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
    expect(await Promise.all(responses.map(problemOf))).toEqual([tooLarge, tooLarge]);
  });

  test('passes bytes that are not UTF-8 to the handler', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
    const event = await (await running.post('/do/echo', bytes, 'application/json')).json();
    expect(event).toMatchObject({ body: bytes.toString('base64'), isBase64Encoded: true });
  });

  test('returns status, headers, cookies and bytes of the reply', async () => {
    const cookies = await running.call('/do/cookies');
    const binary = await running.call('/do/binary');
    const plain = await running.call('/do/plain');
    expect([
      cookies.status,
      cookies.headers.get('x-count'),
      cookies.headers.getSetCookie(),
      await cookies.text(),
    ]).toEqual([201, '7', ['a=1', 'b=2'], 'made']);
    expect([binary.headers.get('content-type'), Buffer.from(await binary.arrayBuffer())]).toEqual([
      'image/png',
      Buffer.from([0, 1, 2, 0xff]),
    ]);
    expect([plain.headers.get('content-type'), await plain.json()]).toEqual([
      'application/json',
      { hello: 'world' },
    ]);
  });

  test('returns no body for HEAD', async () => {
    const response = await running.call('/do/echo', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('joins a repeated header', async () => {
    const headers = ['host', 'x', 'x-twice', '1', 'X-Twice', '2'];
    const body = await new Promise<string>((resolve, reject) => {
      request(`${running.runtime.baseUrl}/do/echo`, { headers }, (response) => resolve(text(response)))
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body)).toMatchObject({ headers: { 'x-twice': '1,2' } });
  });
});

describe('a function', () => {
  test('receives its variables and context, and no variables of this process', async () => {
    const { context, remaining, variables } = await readInvocation();
    expect(context).toMatchObject({ memoryLimitInMB: '128', functionVersion: '$LATEST' });
    expect(context['invokedFunctionArn']).toBe(
      `arn:aws:lambda:us-east-1:000000000000:function:${context['functionName']}`,
    );
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(1000);
    expect(variables).toMatchObject({
      TABLE: running.table,
      QUEUE: running.queueUrl('Work'),
      // Without its front door.
      AWS_ENDPOINT_URL_DYNAMODB: expect.stringMatching(/^http:\/\/127\./),
      AWS_ENDPOINT_URL_KMS: running.runtime.endpoints.kms,
      AWS_ENDPOINT_URL_SFN: running.runtime.endpoints.sfn,
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: context['functionName'],
      EXTRA: 'given',
    });
    expect(Object.keys(variables)).not.toContain('PATH');
  });

  test('receives the issuer of a running identity provider that accepts only the declared client', async () => {
    const { OIDC_ISSUER, OIDC_CLIENT_ID = '' } = (await readInvocation()).variables;
    const authorize = (client_id: string) => {
      const request = new URLSearchParams({
        client_id,
        redirect_uri: 'http://127.0.0.1:3000/callback',
        response_type: 'code',
        scope: 'openid email',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      });
      return fetch(`${OIDC_ISSUER}/auth?${request}`, { redirect: 'manual' });
    };
    const discovery = await fetch(`${OIDC_ISSUER}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({ issuer: OIDC_ISSUER });
    expect([(await authorize(OIDC_CLIENT_ID)).status, (await authorize('another')).status]).toEqual([
      303, 400,
    ]);
  });

  test('returns 500 after its timeout, and serves the next call from a new environment', async () => {
    const slow = await running.call('/do/slow');
    const next = await readInvocation();
    expect(await problemOf(slow)).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
    expect(next.invocations).toBe(1);
  });

  test('writes its output and its errors to its own log', async () => {
    await running.call('/do/context');
    await running.call('/do/throw');
    const file = join(
      running.fixture.directory,
      'data',
      'logs',
      `${logicalId(running.fixture.template, 'AWS::Lambda::Function', 'Http')}.log`,
    );
    const log = () => readFileSync(file, 'utf8');
    await expect.poll(log).toContain('printed by the handler');
    await expect.poll(log).toContain('secret detail');
  });

  test('serves more concurrent calls than it has environments', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await running.call('/do/echo')).status),
    );
    expect(statuses).toEqual(Array(30).fill(200));
  });

  test('counts AWS calls that are published on the diagnostics channel', async () => {
    // The first call of an engine can take longer than the second that the function has.
    await running.post('/do/put', 'first');
    const before = running.runtime.meter?.()['dynamodb PutItem'] ?? { calls: 0, capacity: 0 };
    const response = await running.post('/do/put', 'metered');
    expect(response.status).toBe(204);
    expect(running.runtime.meter?.()['dynamodb PutItem']).toEqual({
      calls: before.calls + 1,
      capacity: before.capacity + 2,
    });
  });
});
