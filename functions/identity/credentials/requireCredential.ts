import type { Versioned } from '../../platform/shared/aws/document.store.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { ApiKey } from '../access/principals/apiKey.ts';
import type { OAuthClient } from '../access/principals/client.ts';

/** The key. Throws NOT_FOUND when there is none. */
export const requireApiKey = (found: Versioned<ApiKey> | null): Versioned<ApiKey> => {
  if (found === null) throw new ProblemError('NOT_FOUND', 'There is no such API key.');
  return found;
};

/** The client. Throws NOT_FOUND when there is none, or it was deleted. */
export const requireClient = (found: Versioned<OAuthClient> | null): Versioned<OAuthClient> => {
  if (found === null || found.document.deleted_at !== null) {
    throw new ProblemError('NOT_FOUND', 'There is no such OAuth client.');
  }
  return found;
};
