import { describeError, log } from '../../../platform/shared/log.ts';
import { toProblem } from '../../../platform/shared/problem.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';

const descriptions = {
  server_error: 'The service failed, or the response of the identity provider is not valid.',
  temporarily_unavailable: 'A dependency is not available at the moment.',
};

/**
 * Logs the cause of a failed sign-in and returns the error for the client, which does not reveal the cause: whether a
 * dependency does not answer, or the service or the provider failed (RFC 6749 §4.1.2.1).
 */
export const reportFailure = (
  cause: unknown,
  { operation, traceId }: { readonly operation: string; readonly traceId: string | null },
): AuthorizationError => {
  const error = toProblem(cause).code === 'SERVICE_UNAVAILABLE' ? 'temporarily_unavailable' : 'server_error';
  log({
    level: 'error',
    message: error,
    operation,
    ...(traceId !== null && { trace_id: traceId }),
    ...describeError(cause),
  });
  return authorizationError(error, descriptions[error]);
};
