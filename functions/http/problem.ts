import type { ErrorCode, FieldError } from '../../schemas/problems.ts';

interface ProblemOptions {
  /** Faults of the body, for VALIDATION_FAILED. */
  readonly errors?: readonly FieldError[];
  /** Headers that belong to the refusal, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members beyond the catalogue's, such as the `error` of RFC 6749. */
  readonly members?: Readonly<Record<string, string>>;
  /** Another status than the catalogue's, where a standard demands it. */
  readonly status?: number;
  /** What really happened; logged, never sent. */
  readonly cause?: unknown;
}

/** A refusal from the closed catalogue. `detail` is public text: never a value, a name of ours, or another's message. */
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

/** A dependency did not answer: the caller may repeat the identical request. */
export const unavailable = (cause: unknown): ProblemError =>
  new ProblemError('SERVICE_UNAVAILABLE', 'A dependency is not available at the moment.', {
    headers: { 'retry-after': '1' },
    cause,
  });
