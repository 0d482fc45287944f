import { type Authentication, authentication, type Credential } from './credential.ts';
import { AttributionError, ConnectionError, RateLimitError } from './errors.ts';
import { delayOf, isRetried, retryAfter, sleep } from './retry.ts';
import type { Problem, TokenResponse } from './types.ts';
import { baseUrlOf, urlOf } from './url.ts';

export interface ClientOptions {
  /** For example `https://api.example.com`. */
  readonly baseUrl: string;
  readonly credential: Credential;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Time for one attempt. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Repetitions after the first attempt. Default: 3. */
  readonly retries?: number;
  /** A longer Retry-After ends the call with an error. Default: 60,000. */
  readonly maximumWaitMs?: number;
}

/** Pass it to the operations. */
export interface Client extends Required<ClientOptions> {
  readonly authentication: Authentication;
}

export interface CallOptions {
  /** Ends the call, its retries and its waiting. */
  readonly signal?: AbortSignal;
  /** Default: a new key for each call, and the same one for its retries. */
  readonly idempotencyKey?: string;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query?: object | undefined;
  /** A text is sent as it is. */
  readonly body?: unknown;
  /** OAuth forms take no Idempotency-Key. */
  readonly form?: boolean;
}

/** Why the service refuses a token that has expired, or that was revoked. */
const RENEWED: ReadonlySet<unknown> = new Set(['expired_token', 'invalid_credential']);

/** Refuses other encodings: with replaced characters, a name would be another one. */
const utf8 = new TextDecoder('utf8', { fatal: true });

/** The members of a JSON object. Undefined if the text is none: every answer of the service with a body is one. */
const objectIn = (bytes: ArrayBuffer): Readonly<Record<string, unknown>> | undefined => {
  try {
    const text = utf8.decode(bytes);
    return /^\s*{/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

const isProblem = (value: object | undefined): value is Problem =>
  typeof Object(value).error_code === 'string';

/** What is known of an answer that is not of the service. A browser hides the status of a redirect: it is 0. */
const messageOf = ({ status, ok }: Response, { message }: Readonly<Record<string, unknown>> = {}) => {
  if (typeof message === 'string') return message;
  if (status >= 400) return undefined;
  return `not an answer of the service, but ${ok ? 'no JSON object' : 'a redirect, which is not followed'}`;
};

/** A token works once where it is given for a code or another token. A repetition with a secret gets another token. */
const isRepeatable = (form: boolean | undefined, body: unknown): boolean =>
  !form || Object(body).grant_type === 'client_credentials';

/** Sends a request and repeats it where that is safe. */
export const send = async <Answer>(
  client: Client,
  { method, path, query, body, form }: Request,
  { signal, idempotencyKey }: CallOptions = {},
  authenticates = true,
): Promise<Answer> => {
  const url = urlOf(client.baseUrl, path, query);
  // Made once: a repetition with the same key has no second effect.
  const key = method === 'GET' || form ? undefined : (idempotencyKey ?? crypto.randomUUID());
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  // Fetch says the type of a form by itself.
  const content = form ? new URLSearchParams(Object(body)) : json;
  const attempts = isRepeatable(form, body) ? client.retries + 1 : 1;
  let hasRenewed = false;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(client.timeoutMs);
    const headers = new Headers();
    const [name, value] = authenticates ? await client.authentication.header() : [];
    if (name && value) headers.set(name, value);
    if (key) headers.set('idempotency-key', key);
    if (content !== undefined && !form) headers.set('content-type', 'application/json');
    let seconds: number | null = null;
    try {
      const response = await client.fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        ...(content !== undefined && { body: content }),
      });
      const { status } = response;
      const answer = objectIn(await response.arrayBuffer());
      // Only a change can be answered without a body.
      if ((status === 204 && key) || (response.ok && answer)) return answer as Answer;
      const problem = isProblem(answer) ? answer : undefined;
      if (status === 401 && RENEWED.has(problem?.reason) && !hasRenewed) {
        hasRenewed = true;
        if (client.authentication.renew(value ?? '')) {
          attempt -= 1;
          continue;
        }
      }
      seconds = retryAfter(response.headers);
      const isTooLong = (seconds ?? 0) * 1_000 > client.maximumWaitMs;
      if (!isRetried(status, problem?.error_code) || attempt >= attempts || isTooLong) {
        const message = messageOf(response, answer);
        throw status === 429
          ? new RateLimitError(status, problem, attempt, seconds, message)
          : new AttributionError(status, problem, attempt, message);
      }
    } catch (error) {
      if (error instanceof AttributionError) throw error;
      signal?.throwIfAborted();
      if (attempt >= attempts) throw new ConnectionError(attempt, error);
    }
    await sleep(delayOf(attempt, seconds), signal);
  }
};

export const createClient = (options: ClientOptions): Client => {
  const client: Client = {
    timeoutMs: 30_000,
    retries: 3,
    maximumWaitMs: 60_000,
    ...options,
    // Called as a function: browsers refuse the global fetch as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    baseUrl: baseUrlOf(options.baseUrl),
    authentication: authentication(
      options.credential,
      (client_id, client_secret, scope) =>
        send<TokenResponse>(
          client,
          {
            method: 'POST',
            path: '/v1/oauth/token',
            body: { grant_type: 'client_credentials', client_id, client_secret, ...(scope && { scope }) },
            form: true,
          },
          {},
          false,
        ),
      Date.now,
    ),
  };
  return client;
};
