import { Problem } from '../../schemas/problems.ts';
import { RequestAborted, RequestRejected, ServiceUnreachable } from './errors.ts';
import { isRetryable, parseRetryAfter, retryDelayMs } from './retry.ts';
import type { Wait } from './wait.ts';

/** One attempt gets this long; the service answers within 30 s or its gateway does. */
const ATTEMPT_LIMIT_MS = 35_000;

/** What a request needs from outside, so that a test can replace the network, chance and waiting. */
export interface Transport {
  readonly fetch: typeof fetch;
  readonly wait: Wait;
  readonly random: () => number;
  /** Milliseconds of waiting on a service that does not answer, or answers with a fault of its own. */
  readonly retryBudgetMs: number;
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type AttemptOutcome =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'throttled' | 'fault'; readonly retryAfter?: number | undefined; readonly cause: Error };

const problemOf = (body: unknown): Problem | undefined => Problem.safeParse(body).data;

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const describeRejection = (status: number, problem: Problem | undefined): string => {
  if (problem === undefined) return `the service answered ${status}`;
  const faults = problem.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return `${status} ${problem.error_code}: ${problem.detail}${faults ? ` (${faults})` : ''}`;
};

/** One attempt. Throws a ServiceRefusal where another one is pointless. */
const sendOnce = async (request: Request, transport: Transport): Promise<AttemptOutcome> => {
  const { method, url, headers, body } = request;
  let response: Response;
  let text: string;
  try {
    response = await transport.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // A redirect would carry the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(ATTEMPT_LIMIT_MS),
    });
    text = await response.text();
  } catch (error) {
    return { kind: 'fault', cause: error instanceof Error ? error : new Error(String(error)) };
  }
  const answer = readJson(text);
  if (response.ok && answer !== undefined) return { kind: 'answer', body: answer };
  const problem = problemOf(answer);
  const refusal = new RequestRejected(response.status, describeRejection(response.status, problem));
  if (!isRetryable(response.status, problem)) throw refusal;
  return {
    kind: response.status === 429 ? 'throttled' : 'fault',
    retryAfter: parseRetryAfter(response.headers.get('retry-after')),
    cause: refusal,
  };
};

/**
 * Sends a request until it is answered, always with the same bytes and headers, so that an Idempotency-Key stays with
 * its request. Waits as long as the service asks for where it throttles; a service that fails or is silent is tried
 * until the patience is used up. An aborted signal ends the waiting, not an attempt under way.
 * Resolves to the parsed body of a 2xx. Throws ServiceRefusal, ServiceUnreachable or RequestAbandoned.
 */
export const sendWithRetries = async (
  request: Request,
  transport: Transport,
  signal?: AbortSignal,
): Promise<unknown> => {
  let waitedOnFaults = 0;
  for (let failures = 1; ; failures += 1) {
    const outcome = await sendOnce(request, transport);
    if (outcome.kind === 'answer') return outcome.body;
    const pause = retryDelayMs(failures, outcome.retryAfter, transport.random());
    // Throttling is an answer: the service lives and says when to come back.
    waitedOnFaults = outcome.kind === 'throttled' ? 0 : waitedOnFaults + pause;
    if (waitedOnFaults > transport.retryBudgetMs) {
      throw new ServiceUnreachable(`${request.url.origin} does not answer`, { cause: outcome.cause });
    }
    if (signal?.aborted !== true) await transport.wait(pause, signal);
    if (signal?.aborted === true) throw new RequestAborted('given up before an answer');
  }
};
