import { ProblemError } from '../../shared/problem.ts';
import type { StoredEndpoint } from './endpoint.store.ts';

/** The endpoint, where there is one. Throws NOT_FOUND. */
export const requireEndpoint = (endpoint: StoredEndpoint | null): StoredEndpoint => {
  if (endpoint === null) throw new ProblemError('NOT_FOUND', 'There is no such webhook endpoint.');
  return endpoint;
};

/** The endpoint, where there is one and events may be sent to it. Throws NOT_FOUND, or CONFLICT. */
export const requireVerifiedEndpoint = (endpoint: StoredEndpoint | null): StoredEndpoint => {
  const found = requireEndpoint(endpoint);
  if (found.state.status === 'verified') return found;
  throw new ProblemError(
    'CONFLICT',
    found.state.status === 'pending'
      ? 'The endpoint is not verified yet.'
      : 'The endpoint is disabled; enable it first.',
  );
};
