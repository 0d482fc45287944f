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
    'ingest:write',
    'partner:connector',
  ],
  finops: ['read:attribution', 'read:reporting', 'export:create'],
  engineer: ['read:attribution', 'read:lookup', 'read:reporting', 'webhooks:manage', 'ingest:write'],
  viewer: ['read:attribution', 'read:reporting'],
} as const satisfies Record<string, readonly Scope[]>;

export const roleNames = Object.keys(roles) as [keyof typeof roles, ...(keyof typeof roles)[]];
export const Role = z.enum(roleNames);
export type Role = z.infer<typeof Role>;
