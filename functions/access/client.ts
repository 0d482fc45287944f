import * as z from 'zod';
import { ClientAuthentication, GrantType } from '../../schemas/access/oauthClient.ts';
import { Scope } from '../../schemas/access/scopes.ts';
import { Secrets } from './secret.ts';

/** Anything else is no client, and may be longer than a table's key can be. */
export const isClientId = (text: string): boolean =>
  /^cli_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/** An OAuth client of one tenant as it is stored (RFC 7591 names). */
export const OAuthClient = z.object({
  client_id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  scopes: z.array(Scope).min(1),
  residency: z.string().nullable(),
  grant_types: z.array(GrantType).min(1),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: ClientAuthentication,
  /** Null for a public client, which has nothing to keep secret. */
  secrets: Secrets.nullable(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  deleted_at: z.iso.datetime().nullable(),
});
export type OAuthClient = z.infer<typeof OAuthClient>;
