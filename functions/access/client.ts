import * as z from 'zod';
import { Scope } from '../../schemas/scopes.ts';

/** Anything else is no client, and may be longer than a table's key can be. */
export const isClientId = (text: string): boolean =>
  /^cli_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/** An OAuth client of one tenant, at rest: never the secret, only its salted hash. */
export const OAuthClient = z.object({
  client_id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  scopes: z.array(Scope).min(1),
  salt: z.string(),
  hash: z.string(),
  created_at: z.iso.datetime(),
});
export type OAuthClient = z.infer<typeof OAuthClient>;
