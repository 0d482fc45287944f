import * as z from 'zod';
import { Scope } from '../../schemas/scopes.ts';

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
