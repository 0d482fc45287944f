import * as z from 'zod';
import type { Scope } from './scopes.ts';

/** The roles of users in a tenant. A client that acts for a user gets at most the scopes of the user's role. */
export const roles = {
  admin: [
    'read:attribution',
    'read:lookup',
    'read:reporting',
    'export:create',
    'webhooks:manage',
    'admin:config',
    'finance:config',
    'ingest:write',
    'partner:connector',
  ],
  finops: ['read:attribution', 'read:reporting', 'export:create', 'finance:config'],
  engineer: ['read:attribution', 'read:lookup', 'read:reporting', 'webhooks:manage', 'ingest:write'],
  /** Sees sums of cohorts only: never a single call. */
  viewer: ['read:reporting'],
} as const satisfies Record<string, readonly Scope[]>;

export const roleNames = Object.keys(roles) as [keyof typeof roles, ...(keyof typeof roles)[]];
export const Role = z.enum(roleNames);
export type Role = z.infer<typeof Role>;

/** The role of a user who is given none: the one that reads least. */
export const ROLE_DEFAULT: Role = 'viewer';
