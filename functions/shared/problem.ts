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

/** What the AWS SDK throws carries `$metadata`, a refused connection and a time-out included: a store does not answer. */
const isOutage = (error: unknown): boolean => error instanceof Error && '$metadata' in error;

/** The refusal that whatever was thrown amounts to: one of the catalogue, an outage, or a failure of ours. */
export const toProblem = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error;
  if (isOutage(error)) return unavailable(error);
  return new ProblemError('INTERNAL_ERROR', 'Something failed on our side.', { cause: error });
};

/** Runs what depends on stores: whatever it throws that is no refusal means that one of them does not answer. */
export const orUnavailable = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ProblemError ? error : unavailable(error);
  }
};
