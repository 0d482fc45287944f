import * as z from 'zod';
import { Role } from '../../schemas/access/roles.ts';

/** A person who may sign in to a tenant, known by the e-mail address the identity provider vouches for. */
export const User = z.object({
  user_id: z.string(),
  tenant_id: z.string(),
  email: z.string(),
  role: Role,
  created_at: z.iso.datetime(),
  /** Set when the person may no longer sign in; what was granted before ends with it. */
  removed_at: z.iso.datetime().nullable(),
});
export type User = z.infer<typeof User>;

/** One spelling of an address: providers and people differ in case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();
