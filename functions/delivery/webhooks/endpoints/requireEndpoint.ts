import { ProblemError } from '../../../platform/shared/problem.ts';
import type { StoredEndpoint } from './endpoint.store.ts';

/** Returns the endpoint. Throws NOT_FOUND. */
export const requireEndpoint = (endpoint: StoredEndpoint | null): StoredEndpoint => {
  if (endpoint === null) throw new ProblemError('NOT_FOUND', 'The webhook endpoint does not exist.');
  return endpoint;
};

/** Returns the endpoint if it is verified. Throws NOT_FOUND, or CONFLICT when it is pending or disabled. */
export const requireVerifiedEndpoint = (endpoint: StoredEndpoint | null): StoredEndpoint => {
  const found = requireEndpoint(endpoint);
  if (found.state.status === 'verified') return found;
  throw new ProblemError(
    'CONFLICT',
    found.state.status === 'pending'
      ? 'The endpoint is not verified yet. Answer its challenge first.'
      : 'The endpoint is disabled. Enable it first.',
  );
};
