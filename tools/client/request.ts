import { Problem } from '../../schemas/problems.ts';
import { RequestAborted, RequestRejected, ServiceUnreachable } from './errors.ts';
import { isRetryable, parseRetryAfter, retryDelayMs } from './retry.ts';
import type { Wait } from './wait.ts';

/** Timeout of one attempt. The service or its gateway answers within 30 s. */
const ATTEMPT_TIMEOUT_MS = 35_000;

/** Dependencies of a request. Tests replace the network, the randomness and the waiting. */
export interface Transport {
  readonly fetch: typeof fetch;
  readonly wait: Wait;
  readonly random: () => number;
  /** Total time to wait between attempts while the service is unreachable or fails. */
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
  if (problem === undefined) return `The service returned status ${status} without a problem document`;
  const faults = problem.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return `${status} ${problem.error_code}: ${problem.detail}${faults ? ` (${faults})` : ''}`;
};

/** Makes one attempt. Throws RequestRejected if a retry cannot succeed. */
const sendOnce = async (request: Request, transport: Transport): Promise<AttemptOutcome> => {
  const { method, url, headers, body } = request;
  let response: Response;
  let text: string;
  try {
    response = await transport.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // Following a redirect could send the API key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    return { kind: 'fault', cause: error instanceof Error ? error : new Error(String(error)) };
  }
  const answer = readJson(text);
  if (response.ok && answer !== undefined) return { kind: 'answer', body: answer };
  const problem = problemOf(answer);
  const rejection = new RequestRejected(response.status, describeRejection(response.status, problem));
  if (!isRetryable(response.status, problem)) throw rejection;
  return {
    kind: response.status === 429 ? 'throttled' : 'fault',
    retryAfter: parseRetryAfter(response.headers.get('retry-after')),
    cause: rejection,
  };
};

/**
 * Sends a request and retries it with the same bytes and headers, so that its Idempotency-Key stays valid. Waits for
 * Retry-After when throttled. Retries other failures until the retry budget is used up. An abort ends the waiting, but
 * not a running attempt. Resolves to the parsed body of a 2xx response. Throws RequestRejected, ServiceUnreachable or
 * RequestAborted.
 */
export const sendWithRetries = async (
  request: Request,
  transport: Transport,
  signal?: AbortSignal,
): Promise<unknown> => {
  let faultWaitMs = 0;
  for (let failures = 1; ; failures += 1) {
    const outcome = await sendOnce(request, transport);
    if (outcome.kind === 'answer') return outcome.body;
    const pause = retryDelayMs(failures, outcome.retryAfter, transport.random());
    // A throttled request shows that the service works, so it resets the budget.
    faultWaitMs = outcome.kind === 'throttled' ? 0 : faultWaitMs + pause;
    if (faultWaitMs > transport.retryBudgetMs) {
      throw new ServiceUnreachable(`${request.url.origin} does not answer`, { cause: outcome.cause });
    }
    if (signal?.aborted !== true) await transport.wait(pause, signal);
    if (signal?.aborted === true) throw new RequestAborted('aborted before a response');
  }
};
