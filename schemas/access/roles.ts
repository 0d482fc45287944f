import * as z from 'zod';
import type { Scope } from './scopes.ts';

/** What a user is in a tenant; the most that anybody acting for the user can be given. */
export const roles = {
  admin: [
    'read:attribution',
    'read:reporting',
    'export:create',
    'webhooks:manage',
    'admin:config',
    'ingest:write',
  ],
  finops: ['read:attribution', 'read:reporting', 'export:create'],
  engineer: ['read:attribution', 'read:reporting', 'webhooks:manage', 'ingest:write'],
  viewer: ['read:attribution', 'read:reporting'],
} as const satisfies Record<string, readonly Scope[]>;

export const roleNames = Object.keys(roles) as [keyof typeof roles, ...(keyof typeof roles)[]];
export const Role = z.enum(roleNames);
export type Role = z.infer<typeof Role>;
