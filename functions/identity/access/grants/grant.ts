import * as z from 'zod';
import { Scope } from '../../../../schemas/identity/scopes.ts';
import { SecretHash } from '../principals/secret.ts';

/** A pending sign-in: the request of the client, stored while the user is at the identity provider. */
export const SignIn = z.object({
  client_id: z.string(),
  tenant_id: z.string(),
  tenant_tag: z.string(),
  redirect_uri: z.string(),
  scopes: z.array(Scope).min(1),
  /** The `state` of the client, returned unchanged. */
  state: z.string().nullable(),
  code_challenge: z.string(),
  /** The earliest acceptable sign-in time in epoch milliseconds; null if any is acceptable. */
  signed_in_since: z.int().nullable(),
  /** Epoch milliseconds. */
  expires_at: z.int(),
});
export type SignIn = z.infer<typeof SignIn>;

/** A pending sign-in to the console, stored while the user is at the identity provider. */
export const ConsoleSignIn = z.object({
  /** The path of the console to return to. */
  return_path: z.string(),
  /** The session of this browser that the new one replaces; null if it has none. */
  replaced_session: z.string().nullable(),
  /** As in {@link SignIn}. */
  signed_in_since: z.int().nullable(),
  expires_at: z.int(),
});
export type ConsoleSignIn = z.infer<typeof ConsoleSignIn>;

/** A session of the console in one browser, stored under the hash of its cookie. */
export const Session = z.object({
  email: z.string(),
  /** Epoch milliseconds. */
  signed_in_at: z.int(),
  /** Epoch milliseconds. Nothing extends it. */
  expires_at: z.int(),
  /** The grant in the chosen tenant; null until the user of several tenants has chosen one. */
  grant_id: z.string().nullable(),
});
export type Session = z.infer<typeof Session>;

/** A user's authorization of a client. Refresh tokens renew access under it; revocation ends it. */
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
  /**
   * The hashes of the valid refresh token, and of the family that all refresh tokens of the grant have in common. Null if the
   * client has no refresh_token grant type.
   */
  refresh: SecretHash.extend({ family: SecretHash }).nullable(),
  /** Epoch milliseconds. No renewal extends it. */
  expires_at: z.int(),
  revoked_at: z.iso.datetime().nullable(),
});
export type Grant = z.infer<typeof Grant>;

/** An authorization code, stored under its hash. A used code stays stored, so that a replay is detected. */
export const AuthorizationCode = z.object({
  grant: Grant,
  redirect_uri: z.string(),
  code_challenge: z.string(),
  /** Epoch milliseconds. */
  expires_at: z.int(),
  used: z.boolean(),
});
export type AuthorizationCode = z.infer<typeof AuthorizationCode>;
