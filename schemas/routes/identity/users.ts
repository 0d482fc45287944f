import * as z from 'zod';
import { CREDENTIAL_BYTES_MAXIMUM, CredentialListQuery } from '../../identity/credential.ts';
import { ROLE_DEFAULT, Role, roleNames, roles } from '../../identity/roles.ts';
import { Scope } from '../../identity/scopes.ts';
import { pageOf } from '../../page.ts';
import { plans } from '../../platform/limits.ts';
import { route } from '../route.ts';

const ROLES = roleNames.map((name) => `${name}: ${roles[name].join(', ')}`).join('. ');
const AssignedRole = Role.meta({ id: 'UserRole', description: `What the user may do. ${ROLES}` });

const UserRequest = z
  .strictObject({
    // RFC 5321 §4.5.3.1 limits an address to 254 characters.
    email: z
      .email()
      .max(254)
      .meta({ description: 'The address that the identity provider verifies at the sign-in' }),
    role: AssignedRole.default(ROLE_DEFAULT),
  })
  .meta({ id: 'UserRequest', example: { email: 'kim@example.com', role: 'finops' } });

const UserChange = z
  .strictObject({ role: AssignedRole })
  .meta({ id: 'UserChange', example: { role: 'viewer' } });

export const UserRecord = z
  .object({
    id: z.string(),
    email: z.string(),
    role: AssignedRole,
    state: z.enum(['active', 'removed']),
    created_at: z.iso.datetime(),
    removed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'User' });
export type UserRecord = z.infer<typeof UserRecord>;

export const CallerRecord = z
  .object({
    type: z.enum(['api_key', 'oauth_client', 'user']),
    id: z.string(),
    email: z.string().nullable().meta({ description: 'Of a user; otherwise null' }),
    role: Role.nullable().meta({ description: 'Of a user; otherwise null' }),
    scopes: z.array(Scope).meta({ description: 'What this credential may do now' }),
    residency: z
      .string()
      .nullable()
      .meta({ description: 'The lane that the credential is bound to; null if it is bound to none' }),
    signed_in_at: z.iso.datetime().nullable().meta({
      description: 'When the user last signed in. Some operations need a sign-in within 15 minutes',
    }),
    tenant: z.object({
      id: z.string(),
      name: z.string(),
      plan: z.enum(plans),
      sandbox: z.boolean().meta({ description: 'Whether the data of the tenant is synthetic' }),
    }),
  })
  .meta({ id: 'Caller' });
export type CallerRecord = z.infer<typeof CallerRecord>;

/** Who may add, change and remove users. Part of the route descriptions. */
const RIGHTS =
  'The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED).';
const LAST = 'The last administrator stays (CONFLICT).';

export const getCaller = route({
  method: 'GET',
  path: '/api/v1/me',
  operation: 'getCaller',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'none' },
  unit: 'credentials',
  summary: 'Read who the caller is',
  description: 'The credential of the request, its scopes and its tenant. Needs no scope.',
  access: 'caller',
  discloses: 'none',
  rate: 'read',
  needs: ['access.read'],
  replies: { 200: { description: 'The caller', body: CallerRecord } },
});

export const createUser = route({
  method: 'POST',
  path: '/api/v1/users',
  operation: 'createUser',
  authority: { effect: 'credentials', reveals: [], lanes: 'all' },
  unit: 'credentials',
  summary: 'Add a user to the tenant',
  description: `In the user pool of a deployed stack, the person gets an account and an invitation by e-mail, valid for three days. An account that the person has is kept as it is. With an identity provider of your own, the person can sign in as soon as the provider knows the verified e-mail address. A person who was removed is added as a new user. ${RIGHTS}`,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write', 'userPool.invite'],
  body: { kind: 'json', schema: UserRequest, maxBytes: CREDENTIAL_BYTES_MAXIMUM },
  audit: 'user.register',
  refuses: ['CONFLICT'],
  replies: { 201: { description: 'The user', body: UserRecord } },
});

export const listUsers = route({
  method: 'GET',
  path: '/api/v1/users',
  operation: 'listUsers',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'credentials',
  summary: 'List users by e-mail address',
  description: 'Removed users are listed too.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['access.list', 'cursor.derive'],
  query: CredentialListQuery,
  replies: { 200: { description: 'A page of users', body: pageOf(UserRecord, 'UserPage') } },
});

export const getUser = route({
  method: 'GET',
  path: '/api/v1/users/{id}',
  operation: 'getUser',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'credentials',
  summary: 'Read one user',
  description: 'The role of the user, and whether the user was removed.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['access.list'],
  ids: { id: 'usr' },
  replies: { 200: { description: 'The user', body: UserRecord } },
});

export const updateUser = route({
  method: 'PUT',
  path: '/api/v1/users/{id}',
  operation: 'updateUser',
  authority: { effect: 'credentials', reveals: [], lanes: 'all' },
  unit: 'credentials',
  summary: 'Change the role of a user',
  description: `Takes effect with the next request of the user, also for tokens that were issued before. ${LAST} ${RIGHTS}`,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.list', 'access.write'],
  ids: { id: 'usr' },
  body: { kind: 'json', schema: UserChange, maxBytes: CREDENTIAL_BYTES_MAXIMUM },
  audit: 'user.update',
  refuses: ['CONFLICT'],
  replies: { 200: { description: 'The changed user', body: UserRecord } },
});

export const removeUser = route({
  method: 'DELETE',
  path: '/api/v1/users/{id}',
  operation: 'removeUser',
  authority: { effect: 'credentials', reveals: [], lanes: 'all' },
  unit: 'credentials',
  summary: 'Remove a user from the tenant with immediate effect',
  description: `All sessions and tokens of the user end. The user remains in the list with state removed. Removing the user again changes nothing. ${LAST} ${RIGHTS}`,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.list', 'access.write'],
  ids: { id: 'usr' },
  audit: 'user.remove',
  refuses: ['CONFLICT'],
  replies: { 204: { description: 'The user is removed' } },
});
