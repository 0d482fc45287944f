import { describeError, log } from '../../../platform/shared/log.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';

const descriptions = {
  server_error: 'The response of the identity provider is not valid.',
  temporarily_unavailable: 'A dependency is not available at the moment.',
};

/** Logs the cause of a failed sign-in and returns the error for the client, which does not reveal the cause. */
export const reportFailure = (
  error: keyof typeof descriptions,
  cause: unknown,
  { operation, traceId }: { readonly operation: string; readonly traceId: string | null },
): AuthorizationError => {
  log({
    level: 'error',
    message: error,
    operation,
    ...(traceId !== null && { trace_id: traceId }),
    ...describeError(cause),
  });
  return authorizationError(error, descriptions[error]);
};
