import type { FieldError } from '../../../schemas/fieldError.ts';
import type { ErrorCode } from '../../../schemas/problems.ts';
import { isOutage } from './aws/calls/outage.ts';

interface ProblemOptions {
  /** The invalid parts of the request. Default for a 400 or 422: the detail, without a location. */
  readonly errors?: readonly FieldError[];
  /** Response headers of the problem, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body, such as `error` of RFC 6749. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Replaces the status of the catalogue where a standard requires another one. */
  readonly status?: number;
  /** The host of a refused URL. It is audited and never sent. */
  readonly refusedHost?: string | null;
  /** The internal cause. It is logged and never sent. */
  readonly cause?: unknown;
}

/** A problem of the closed catalogue. `detail` is public: it never quotes input, internal names or other error messages. */
export class ProblemError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly options: ProblemOptions;

  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'ProblemError';
    this.code = code;
    this.detail = detail;
    this.options = options;
  }
}

/** A problem with one query or form parameter. */
export const invalidParameter = (
  code: 'INVALID_REQUEST' | 'INVALID_FILTER' | 'INVALID_CURSOR',
  detail: string,
  ...parameters: readonly string[]
): ProblemError =>
  new ProblemError(code, detail, { errors: parameters.map((parameter) => ({ parameter, detail })) });

/** SERVICE_UNAVAILABLE: a dependency did not answer, or the time was over. The caller may repeat the identical request. */
export const unavailable = (cause: unknown): ProblemError =>
  new ProblemError(
    'SERVICE_UNAVAILABLE',
    'A dependency is not available at the moment. Repeat the identical request after Retry-After.',
    {
      headers: { 'retry-after': '1' },
      cause,
    },
  );

/** Converts any thrown value to a problem: itself, SERVICE_UNAVAILABLE for an outage, else INTERNAL_ERROR. */
export const toProblem = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error;
  if (isOutage(error)) return unavailable(error);
  return new ProblemError(
    'INTERNAL_ERROR',
    'The service failed. Repeat the identical request with the same Idempotency-Key. If the error persists, report the trace_id.',
    { cause: error },
  );
};
