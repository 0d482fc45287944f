import * as z from 'zod';
import { Role } from '../../../../schemas/identity/roles.ts';

/** A person who may sign in to a tenant, identified by the e-mail address that the identity provider verified. */
export const User = z.object({
  user_id: z.string(),
  tenant_id: z.string(),
  email: z.string(),
  role: Role,
  created_at: z.iso.datetime(),
  /** When the person lost access. All grants of the user end at that time. */
  removed_at: z.iso.datetime().nullable(),
});
export type User = z.infer<typeof User>;

/** Normalizes an e-mail address: providers and people use different case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();
