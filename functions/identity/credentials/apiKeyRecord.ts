import type { ApiKeyRecord } from '../../../schemas/routes/identity/apiKeys.ts';
import { isoOrNull } from '../../platform/shared/time/toIso.ts';
import { type ApiKey, apiKeyState } from '../access/principals/apiKey.ts';
import type { Secrets } from '../access/principals/secret.ts';

/** The end of the overlap of a replaced secret; null if there is none or it has passed. */
export const overlapEnd = (secrets: Secrets | null, now: number): string | null => {
  const until = secrets?.previous?.valid_until ?? null;
  return until !== null && now < Date.parse(until) ? until : null;
};

/** The API representation of a key, without secrets. `lastUsedAt` and `now` are epoch milliseconds. */
export const toApiKeyRecord = (key: ApiKey, lastUsedAt: number | undefined, now: number): ApiKeyRecord => ({
  id: key.key_id,
  name: key.name,
  scopes: key.scopes,
  residency: key.residency,
  state: apiKeyState(key, now),
  created_by: key.created_by,
  created_at: key.created_at,
  rotated_at: key.rotated_at,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
  previous_secret_valid_until: key.revoked_at === null ? overlapEnd(key.secrets, now) : null,
  last_used_at: isoOrNull(lastUsedAt),
});
