import { baseUrlOf } from './baseUrl.ts';
import { type Authentication, authentication, type Credential } from './credential.ts';
import { AttributionError, ConnectionError, RateLimitError } from './errors.ts';
import type { Problem, TokenResponse } from './types.ts';

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
  /** OAuth forms take no Idempotency-Key. They are not repeated, because a code or refresh token works only once. */
  readonly form?: boolean;
}

const RETRIED: ReadonlySet<unknown> = new Set([
  408,
  429,
  502,
  503,
  504,
  'IDEMPOTENCY_IN_PROGRESS',
  'INTERNAL_ERROR',
]);
/** Why the service refuses a token that has expired, or that was revoked. */
const RENEWED: ReadonlySet<unknown> = new Set(['expired_token', 'invalid_credential']);
const FIRST_DELAY_MS = 250;

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** A single text that the service would cut at commas, or read as JSON. */
const IS_CUT = /^\[|,/;

/**
 * A list repeats its parameter. The service knows which parameters are lists, and refuses a list for any other. A list of one
 * value that is not read as it stands is a JSON array. An empty list is sent as an empty value, which is refused too: without
 * the filter, the answer would be about everything.
 */
const textsOf = (value: unknown): string[] => {
  if (!Array.isArray(value) || value.length === 0) return [String(value)];
  const texts = value.map(String);
  const [only = ''] = texts;
  return texts.length === 1 && IS_CUT.test(only) ? [JSON.stringify(texts)] : texts;
};

const urlOf = (baseUrl: string, path: string, query: object = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const text of textsOf(value)) parameters.append(name, text);
  }
  const search = parameters.toString();
  return `${baseUrl}${path}${search && `?${search}`}`;
};

/**
 * The seconds of a Retry-After header, which holds seconds or an HTTP date (RFC 9110, section 10.2.3). 0 if it says nothing
 * that can be waited for.
 */
const secondsOf = (text: string): number =>
  Math.max(0, Number(text) || (Date.parse(text) - Date.now()) / 1_000 || 0);

/** The problem document of the service, or the `message` of a gateway in front of it. */
const errorOf = (text: string): { problem?: Problem; message?: string } => {
  try {
    const value = JSON.parse(text);
    if (typeof value?.error_code === 'string') return { problem: value };
    return typeof value?.message === 'string' ? { message: value.message } : {};
  } catch {
    return {};
  }
};

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
  const content = form ? new URLSearchParams(Object.entries(Object(body))).toString() : json;
  const attempts = (form ? 0 : client.retries) + 1;
  let hasRenewed = false;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(client.timeoutMs);
    const headers = new Headers();
    const [name, value] = authenticates ? await client.authentication.header() : [];
    if (name !== undefined && value !== undefined) headers.set(name, value);
    if (key !== undefined) headers.set('idempotency-key', key);
    if (content !== undefined)
      headers.set('content-type', form ? 'application/x-www-form-urlencoded' : 'application/json');
    let delay = Math.random() * FIRST_DELAY_MS * 2 ** (attempt - 1);
    try {
      const response = await client.fetch(url, {
        method,
        headers,
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        ...(content !== undefined && { body: content }),
      });
      const { status } = response;
      const text = await response.text();
      if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer;
      const { problem, message } = errorOf(text);
      if (status === 401 && RENEWED.has(problem?.reason) && !hasRenewed) {
        hasRenewed = true;
        if (client.authentication.renew(value ?? '')) {
          attempt -= 1;
          continue;
        }
      }
      const seconds = secondsOf(response.headers.get('retry-after') ?? '');
      const isRetried = RETRIED.has(status) || RETRIED.has(problem?.error_code);
      if (!isRetried || attempt >= attempts || seconds * 1_000 > client.maximumWaitMs) {
        throw status === 429
          ? new RateLimitError(status, problem, attempt, seconds, message)
          : new AttributionError(status, problem, attempt, message);
      }
      // Jitter is added, so that clients that were refused together do not return together.
      delay += seconds * 1_000;
    } catch (error) {
      if (error instanceof AttributionError) throw error;
      signal?.throwIfAborted();
      if (attempt >= attempts) throw new ConnectionError(attempt, error);
    }
    await sleep(delay, signal);
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
