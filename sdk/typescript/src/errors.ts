import type { Problem } from './types.ts';

/** An error response, or one that is not of the service: a page with status 200, or a redirect. */
export class AttributionError extends Error {
  readonly status: number;
  /** The code of the error catalogue. Undefined if a proxy or gateway answered without a problem document. */
  readonly code: Problem['error_code'] | undefined;
  readonly problem: Problem | undefined;
  /** Quote it when you report the error. */
  readonly traceId: string | undefined;
  /** The authentication that the service asks for, as in `WWW-Authenticate`. A gateway may have renamed that header. */
  readonly challenge: string | undefined;
  /** How many requests were sent. */
  readonly attempts: number;

  /** `message` is what is known of an answer without a problem document. */
  constructor(status: number, problem: Problem | undefined, attempts: number, message?: string) {
    super(
      problem
        ? `${problem.error_code}: ${problem.detail}`
        : `HTTP status ${status}${message ? `: ${message}` : ''}`,
    );
    this.name = new.target.name;
    this.status = status;
    this.problem = problem;
    this.code = problem?.error_code;
    this.traceId = problem?.trace_id;
    this.challenge = problem?.www_authenticate;
    this.attempts = attempts;
  }
}

/** The client cannot work as it is configured, for example without a variable, or cannot send an argument. Nothing was sent. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** A rate limit that was still exceeded after all retries. */
export class RateLimitError extends AttributionError {
  /** Null if the service did not say it. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    problem: Problem | undefined,
    attempts: number,
    retryAfterSeconds: number | null,
    message?: string,
  ) {
    super(status, problem, attempts, message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No complete answer arrived: the connection failed or the time-out passed. The request may have had its effect. */
export class ConnectionError extends Error {
  readonly attempts: number;

  constructor(attempts: number, cause: unknown) {
    super('The service did not answer', { cause });
    this.name = 'ConnectionError';
    this.attempts = attempts;
  }
}
