import * as z from 'zod';
import { ClientAuthentication, GrantType } from '../../../../schemas/identity/oauthClient.ts';
import { Scope } from '../../../../schemas/identity/scopes.ts';
import { Secrets } from './secret.ts';

/** Checked before a lookup: other text cannot be a client, and may exceed the size limit of a table key. */
export const isClientId = (text: string): boolean =>
  /^cli_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/** An OAuth client of a tenant as stored, with the names of RFC 7591. */
export const OAuthClient = z.object({
  client_id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  scopes: z.array(Scope).min(1),
  /** Source systems of a partner's connector. Absent for all other clients. */
  source_systems: z.array(z.string()).min(1).optional(),
  /** Capture layer of the events of a connector. Absent for all other clients. */
  ingestion_layer: z.string().optional(),
  /** Whether a connector may fill empty parts of records of other source systems. */
  fills_other_sources: z.boolean().optional(),
  residency: z.string().nullable(),
  grant_types: z.array(GrantType).min(1),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: ClientAuthentication,
  /** Null for a public client, which has no secret. */
  secrets: Secrets.nullable(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  deleted_at: z.iso.datetime().nullable(),
});
export type OAuthClient = z.infer<typeof OAuthClient>;
