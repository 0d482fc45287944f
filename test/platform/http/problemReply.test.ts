import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { reply } from '../../../functions/platform/http/reply.ts';
import { ProblemError, unavailable } from '../../../functions/platform/shared/problem.ts';
import { WriteConflictError } from '../../../functions/platform/shared/retry/retryOnConflict.ts';
import { ThrottledError } from '../../../functions/platform/shared/retry/throttledError.ts';
import { errorCodes, Problem, problemSlug, problemTypes } from '../../../schemas/problems.ts';
import { outage } from '../../support/outage.ts';
import { BASE_URL, serve, testRoute } from './harness.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GOOD = { headers: { 'x-api-key': 'ask_good', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } };

const FORM = { kind: 'form', schema: z.string(), maxBytes: 100 } as const;

const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    logged.push(String(chunk));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const ofAws = (name: string): Error =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: 400 } });
const cancelled = (...codes: string[]): Error =>
  Object.assign(ofAws('TransactionCanceledException'), {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const failing = (error: unknown) => () => {
  throw error;
};

describe('security headers', () => {
  const expected = {
    'content-security-policy': expect.stringMatching(/default-src 'none'; frame-ancestors 'none'/),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000',
    'x-content-type-options': 'nosniff',
  };

  it.each([
    ['a reply', () => reply(200, { ok: true }), GOOD],
    ['an empty reply', () => reply(204, undefined), GOOD],
    ['a problem', failing(new ProblemError('CONFLICT', 'What happened.')), GOOD],
    ['a failure', failing(new Error('boom')), GOOD],
    ['a refusal of the credential', () => reply(200, {}), { headers: {} }],
  ])('are on %s', async (_, run, request) => {
    expect((await serve(testRoute(), run, request)).headers).toMatchObject(expected);
  });

  it('can be narrowed by a reply with another content type', async () => {
    const page = () =>
      reply(200, {}, { 'content-type': 'text/html', 'content-security-policy': "style-src 'self'" });

    expect((await serve(testRoute(), page, GOOD)).headers).toMatchObject({
      ...expected,
      'content-security-policy': "style-src 'self'",
    });
  });
});

describe('an error', () => {
  it.each(errorCodes)(
    'of type %s is a problem from the catalogue, in the trace of its request',
    async (code) => {
      const answer = await serve(testRoute(), failing(new ProblemError(code, 'What happened.')), GOOD);

      const page = `${BASE_URL}/errors/${problemSlug(code)}`;
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-trace-id': TRACE,
      });
      expect(Problem.parse(answer.body)).toEqual({
        type: page,
        title: problemTypes[code].title,
        status: problemTypes[code].status,
        detail: 'What happened.',
        instance: '/things',
        error_code: code,
        trace_id: TRACE,
        tenant_id: 'acme',
        docs_url: page,
        ...([400, 422].includes(problemTypes[code].status) && { errors: [{ detail: 'What happened.' }] }),
      });
      expect(answer.status).toBe(problemTypes[code].status);
    },
  );

  it('reveals the thrown message neither in the response nor in the log', async () => {
    const secret = fc.stringMatching(/^canary[a-z0-9]{12}$/);
    const thrown = fc.constantFrom(
      (text: string) => new Error(text),
      (text: string) => new TypeError(`arn:aws:dynamodb:us-east-1:1:table/${text}`),
      (text: string) =>
        Object.assign(new Error('failed'), { cause: new Error(text), detail: text, body: { text } }),
      (text: string) => new Error(`first line\n    at ${text} (file:1:2)\n    at ${text}`),
      (text: string) => text,
      (text: string) => ({ message: text }),
      (text: string) => unavailable(new Error(text)),
      (text: string) => new ProblemError('CONFLICT', 'Public.', { cause: text }),
    );

    await fc.assert(
      fc.asyncProperty(secret, thrown, async (text, make) => {
        const answer = await serve(testRoute(), failing(make(text)), GOOD);

        expect(JSON.stringify([answer, logged])).not.toContain(text);
      }),
    );
    expect(logged.length).toBeGreaterThan(0);
  });

  it.each([new Error('a'), 'a', 7, { a: 1 }])('returns INTERNAL_ERROR when %o is thrown', async (thrown) => {
    const answer = await serve(testRoute(), failing(thrown), GOOD);

    expect(answer.body).toMatchObject({
      status: 500,
      error_code: 'INTERNAL_ERROR',
      detail:
        'The service failed. Repeat the identical request with the same Idempotency-Key. If the error persists, report the trace_id.',
    });
    expect(logged.join('')).toContain(TRACE);
  });

  it('returns 503 with Retry-After for an error of the AWS SDK', async () => {
    const fromSdk = Object.assign(new Error('connect ECONNREFUSED'), { $metadata: { attempts: 3 } });

    const answer = await serve(testRoute(), failing(fromSdk), GOOD);

    expect(answer.body).toMatchObject({ status: 503, error_code: 'SERVICE_UNAVAILABLE' });
    expect(answer.headers['retry-after']).toBe('1');
    expect(logged.join('')).toContain(TRACE);
  });

  it('returns pointers to invalid members without their values', async () => {
    const errors = [{ pointer: '/a', detail: 'must be less' }];
    const problem = new ProblemError('VALIDATION_FAILED', 'No.', { errors });

    const answer = await serve(testRoute(), failing(problem), GOOD);

    expect(answer.body['errors']).toEqual(errors);
  });

  it('returns 503 before the function times out', async () => {
    const never = () => new Promise<never>(() => undefined);

    const answer = await serve(testRoute(), never, GOOD, { remaining: 260 });

    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('returns 503 before the function times out while a middleware waits', async () => {
    const authenticator = () => new Promise<never>(() => undefined);

    const answer = await serve(testRoute(), () => reply(200, {}), GOOD, { remaining: 1_010, authenticator });

    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('returns INTERNAL_ERROR for a reply that cannot be encoded', async () => {
    const answer = await serve(testRoute(), () => reply(200, { count: 1n }), GOOD);

    expect(answer).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } });
  });

  it.each([
    ['WriteConflictError', new WriteConflictError(12, 'a document')],
    ['ThrottledError', new ThrottledError('no capacity')],
    ['an unanswered call', outage()],
    ['a lost connection', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
    ['a time-out', new DOMException('The operation timed out', 'TimeoutError')],
    ['a failed condition', ofAws('ConditionalCheckFailedException')],
    ['a missing table', ofAws('ResourceNotFoundException')],
    ['a disabled key', ofAws('DisabledException')],
    ['a conflict of transactions', cancelled('None', 'TransactionConflict')],
  ])('returns 503 with Retry-After for %s', async (_, error) => {
    const answer = await serve(testRoute(), failing(error), GOOD);

    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers['retry-after']).toBe('1');
  });

  it.each([
    ['an invalid call', ofAws('ValidationException')],
    ['a missing permission', ofAws('AccessDeniedException')],
    ['an invalid write of a transaction', cancelled('TransactionConflict', 'ValidationError')],
    ['a bug', new TypeError('undefined is not a function')],
    ['an unexpected value of a store', new Error('the document has no revision')],
  ])('returns INTERNAL_ERROR for %s', async (_, error) => {
    const answer = await serve(testRoute(), failing(error), GOOD);

    expect(answer).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } });
    expect(answer.headers['retry-after']).toBeUndefined();
  });

  it('returns the declared code for a bug, and logs the bug', async () => {
    const shape = testRoute({ faultCode: 'SERVICE_UNAVAILABLE' });

    const answer = await serve(shape, failing(new TypeError('a bug')), GOOD);

    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers['retry-after']).toBe('1');
    expect(logged.join('')).toContain('INTERNAL_ERROR');
  });

  it('returns the members of RFC 6749 on a form route', async () => {
    const shape = testRoute({ method: 'POST', access: 'public', body: FORM });

    const answer = await serve(shape, () => reply(200, {}), { headers: { 'content-type': 'text/plain' } });

    expect(answer.body).toMatchObject({ status: 415, error: 'invalid_request' });
  });

  it.each([
    [undefined, 'application/problem+json'],
    ['', 'application/problem+json'],
    ['*/*', 'application/problem+json'],
    ['application/json, text/plain, */*', 'application/problem+json'],
    ['application/json, application/*;q=0.5', 'application/problem+json'],
    ['application/json, application/problem+json', 'application/problem+json'],
    ['text/html', 'application/problem+json'],
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8, text/plain', 'application/json'],
  ])('on a form route, for Accept %j, has media type %s', async (accept, type) => {
    const headers = accept === undefined ? {} : { accept };
    const form = testRoute({ method: 'POST', access: 'public', body: FORM });

    const atForm = await serve(form, () => reply(200, {}), { headers });
    const elsewhere = await serve(testRoute({ access: 'public' }), failing(unavailable(null)), { headers });

    expect(atForm.headers['content-type']).toBe(type);
    expect(elsewhere.headers['content-type']).toBe('application/problem+json');
  });
});
