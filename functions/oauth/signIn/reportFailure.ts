import { describeError, log } from '../../shared/log.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';

const descriptions = {
  server_error: 'The answer of the identity provider is not good.',
  temporarily_unavailable: 'A dependency is not available at the moment.',
};

/** What a client is told when something failed that is not its own fault; what really happened goes to the log. */
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
