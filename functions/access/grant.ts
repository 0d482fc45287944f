import * as z from 'zod';
import { Scope } from '../../schemas/access/scopes.ts';
import { SecretHash } from './secret.ts';

/** A sign-in under way: what the client asked for, kept while the user is at the identity provider. */
export const SignIn = z.object({
  client_id: z.string(),
  tenant_id: z.string(),
  tenant_tag: z.string(),
  redirect_uri: z.string(),
  scopes: z.array(Scope).min(1),
  /** The client's own, given back as it came. */
  state: z.string().nullable(),
  code_challenge: z.string(),
  /** The earliest sign-in that will do, in epoch milliseconds; null when the client does not mind. */
  signed_in_since: z.int().nullable(),
  /** Epoch milliseconds. */
  expires_at: z.int(),
});
export type SignIn = z.infer<typeof SignIn>;

/** Who a user let act for them, and until when: what refresh tokens renew and revocation ends. */
export const Grant = z.object({
  grant_id: z.string(),
  client_id: z.string(),
  tenant_id: z.string(),
  tenant_tag: z.string(),
  user_id: z.string(),
  email: z.string(),
  scopes: z.array(Scope).min(1),
  /** Epoch milliseconds. */
  signed_in_at: z.int(),
  /** The refresh token in force; null where the client may not refresh. */
  refresh: SecretHash.nullable(),
  /** Epoch milliseconds; nothing renews beyond it. */
  expires_at: z.int(),
  revoked_at: z.iso.datetime().nullable(),
});
export type Grant = z.infer<typeof Grant>;

/** An authorization code, kept under its hash. A used one stays until it would have ended, so that a replay is seen. */
export const AuthorizationCode = z.object({
  grant: Grant,
  redirect_uri: z.string(),
  code_challenge: z.string(),
  /** Epoch milliseconds. */
  expires_at: z.int(),
  used: z.boolean(),
});
export type AuthorizationCode = z.infer<typeof AuthorizationCode>;
