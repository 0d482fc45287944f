import * as z from 'zod';
import { Role } from '../../identity/roles.ts';
import { Scope } from '../../identity/scopes.ts';
import { route } from '../route.ts';

const TenantName = z.object({ id: z.string(), name: z.string() });
const SessionTenant = TenantName.extend({
  /** Synthetic data, which the console marks. */
  sandbox: z.boolean(),
});

/** Who is signed in to the console, and the access token with which the page calls the API. */
export const ConsoleSession = z.object({
  /** Null, like the members of the tenant, until the user of several tenants has chosen one. */
  access_token: z.string().nullable(),
  expires_at: z.iso.datetime().nullable(),
  session_expires_at: z.iso.datetime(),
  user: z.object({ id: z.string().nullable(), email: z.string(), role: Role.nullable() }),
  tenant: SessionTenant.nullable(),
  tenants: z.array(TenantName),
  scopes: z.array(Scope),
  signed_in_at: z.iso.datetime(),
});
export type ConsoleSession = z.infer<typeof ConsoleSession>;

const session = { description: 'The session', body: ConsoleSession };

const shared = {
  authority: { effect: 'authentication', reveals: [], internal: ['admin:config'], lanes: 'none' },
  access: 'session',
  discloses: 'none',
  rate: 'none',
} as const;

export const beginSession = route({
  ...shared,
  method: 'GET',
  path: '/console/session/sign-in',
  rate: 'source',
  operation: 'beginSession',
  unit: 'signIn',
  summary: 'Sign in to the console: redirects to the identity provider',
  needs: ['grants.start'],
  query: z.object({
    return_to: z.string().optional(),
    /** Maximum age of the sign-in in seconds, for a step-up. */
    max_age: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional(),
  }),
  replies: { 302: { description: 'To the identity provider', headers: { Location: 'Redirect target' } } },
});

export const getSession = route({
  ...shared,
  method: 'GET',
  path: '/console/session',
  operation: 'getSession',
  unit: 'oauth',
  summary: 'Who is signed in, with a new access token',
  needs: ['access.read', 'tenants.read', 'grants.write', 'signing.sign'],
  replies: { 200: session, 204: { description: 'Nobody is signed in' } },
});

export const chooseTenant = route({
  ...shared,
  method: 'PUT',
  path: '/console/session',
  operation: 'chooseTenant',
  unit: 'oauth',
  summary: 'Change the tenant of the session',
  needs: ['access.read', 'tenants.read', 'grants.write', 'signing.sign', 'audit.append'],
  body: { kind: 'json', schema: z.strictObject({ tenant_id: z.string().max(64) }), maxBytes: 1_024 },
  replies: { 200: session },
});

export const endSession = route({
  ...shared,
  method: 'DELETE',
  path: '/console/session',
  operation: 'endSession',
  unit: 'signIn',
  summary: 'Sign out',
  needs: ['grants.session', 'audit.append'],
  replies: {
    200: {
      description: 'Signed out',
      body: z.object({
        /** Where the identity provider ends its own session; null if it cannot. */
        sign_out_url: z.string().nullable(),
      }),
    },
  },
});
