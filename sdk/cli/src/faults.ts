import { AttributionError, ConfigurationError, ConnectionError } from '../../typescript/src/index.ts';
import { safeText } from './text.ts';

/** The command line is invalid. The message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** There is no credential for the service. */
export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn';
}

/** The command cannot finish, for a reason that is not an error response. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export const exitCodes = {
  success: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  unreachable: 4,
  /** The exit code that shells use for SIGINT. */
  interrupted: 130,
} as const;

const DENIED: ReadonlySet<number> = new Set([401, 403]);

export const exitCodeOf = (fault: unknown): number => {
  if (fault instanceof UsageError || fault instanceof ConfigurationError) return exitCodes.usage;
  if (fault instanceof NotLoggedIn) return exitCodes.unauthorized;
  if (fault instanceof ConnectionError) return exitCodes.unreachable;
  if (fault instanceof AttributionError && DENIED.has(fault.status)) return exitCodes.unauthorized;
  return exitCodes.failed;
};

/** The innermost reason, such as `connect ECONNREFUSED 127.0.0.1:3000` of a failed fetch. */
export const causeOf = (fault: unknown): string => {
  let inner = fault;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  return inner instanceof Error ? inner.message : String(inner);
};

/** Says on a few lines what went wrong, and what to quote to the operator of the service. */
export const describeFault = (fault: unknown): string => {
  if (fault instanceof ConnectionError)
    return `The service did not answer after ${fault.attempts} attempts: ${safeText(causeOf(fault))}`;
  if (!(fault instanceof AttributionError))
    return safeText(fault instanceof Error ? fault.message : String(fault));
  const { problem } = fault;
  if (problem === undefined) return safeText(fault.message);
  const details = (problem.errors ?? []).map(
    ({ pointer, parameter, header, field, operator, detail, allowed, suggestion }) => {
      const place = [pointer ?? parameter ?? header ?? field, operator].filter(Boolean).join(' ');
      return [
        `  ${place === '' ? '' : `${place}: `}${detail}`,
        suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`,
        // The detail of most errors lists them.
        allowed === undefined || allowed.every((value) => detail.includes(value))
          ? ''
          : ` Allowed: ${allowed.join(', ')}.`,
      ].join('');
    },
  );
  // The detail often repeats what the first error says.
  const isRepeated = problem.errors?.some(({ detail }) => problem.detail.includes(detail)) ?? false;
  return [
    `${problem.title} (${problem.error_code}, status ${problem.status})`,
    ...(isRepeated ? [] : [problem.detail]),
    ...details,
    `Trace: ${problem.trace_id}`,
    `Help: ${problem.docs_url}`,
  ]
    .map(safeText)
    .join('\n');
};

/** The same as JSON: the problem document of the service where there is one. */
export const faultDocument = (fault: unknown): object =>
  fault instanceof AttributionError && fault.problem !== undefined
    ? fault.problem
    : { title: fault instanceof Error ? fault.name : 'Error', detail: describeFault(fault) };
