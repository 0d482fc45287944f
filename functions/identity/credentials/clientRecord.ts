import { CONNECTOR_LAYER, type OAuthClientRecord } from '../../../schemas/routes/identity/oauthClients.ts';
import { isoOrNull } from '../../platform/shared/time/toIso.ts';
import type { OAuthClient } from '../access/principals/client.ts';
import { overlapEnd } from './apiKeyRecord.ts';

/** The API representation of a client, without secrets. `lastUsedAt` and `now` are epoch milliseconds. */
export const toClientRecord = (
  client: OAuthClient,
  lastUsedAt: number | undefined,
  now: number,
): OAuthClientRecord => ({
  client_id: client.client_id,
  name: client.name,
  scopes: client.scopes,
  source_systems: client.source_systems ?? [],
  ingestion_layer: client.source_systems === undefined ? null : (client.ingestion_layer ?? CONNECTOR_LAYER),
  fills_other_sources: client.fills_other_sources ?? false,
  residency: client.residency,
  grant_types: client.grant_types,
  redirect_uris: client.redirect_uris,
  token_endpoint_auth_method: client.token_endpoint_auth_method,
  created_by: client.created_by,
  created_at: client.created_at,
  previous_secret_valid_until: overlapEnd(client.secrets, now),
  last_used_at: isoOrNull(lastUsedAt),
});
