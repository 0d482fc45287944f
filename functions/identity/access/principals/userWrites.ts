import type { Role } from '../../../../schemas/identity/roles.ts';
import type { Revision, Write } from '../../../platform/shared/aws/document.store.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { CredentialWriter } from './credential.store.ts';
import { joinTenant, leaveTenant, type Membership } from './membership.ts';
import { normalizeEmail, type User } from './user.ts';

type Of = Pick<Tenant, 'tenant_id' | 'tag'>;

/** A changed user with its writes. They fail if another writer changed the user or the tenants of the person. */
export interface UserChange {
  readonly user: User;
  readonly writes: readonly Write[];
}

/** A user is stored in its tenant, and its tenant in the list that sign-ins read. Both are written together. */
const userWrites = async (
  credentials: CredentialWriter,
  tenant: Of,
  user: User,
  { expectedRevision, by }: { readonly expectedRevision: Revision | null; readonly by: Revision },
  change: (memberships: readonly Membership[]) => Membership[],
): Promise<UserChange> => {
  const stored = await credentials.memberships(user.email);
  return {
    user,
    writes: [
      credentials.putUser(tenant.tag, user, { expectedRevision, by }),
      credentials.putMemberships(user.email, change(stored?.document ?? []), {
        expectedRevision: stored?.revision ?? null,
        by,
      }),
    ],
  };
};

/**
 * Adds a person to a tenant, or changes the role. `userId` is for a new user, `at` in epoch milliseconds. A removed user
 * who is added again is a new one, so that no grant of the former one becomes valid again.
 */
export const registerUser = async (
  credentials: CredentialWriter,
  tenant: Of,
  {
    email,
    role,
    userId,
    at,
  }: { readonly email: string; readonly role: Role; readonly userId: string; readonly at: number },
  by: Revision,
): Promise<UserChange> => {
  const existing = await credentials.user(tenant.tag, email);
  const active = existing?.document.removed_at === null ? existing.document : null;
  const user: User = {
    user_id: active?.user_id ?? userId,
    tenant_id: tenant.tenant_id,
    email: normalizeEmail(email),
    role,
    created_at: active?.created_at ?? toIso(at),
    removed_at: null,
  };
  const joined = { tenant_id: tenant.tenant_id, tenant_tag: tenant.tag };
  const revisions = { expectedRevision: existing?.revision ?? null, by };
  return userWrites(credentials, tenant, user, revisions, (memberships) => joinTenant(memberships, joined));
};

/** Removes a person from a tenant. All access ends with the next request. Null if there is no such user. */
export const removeUser = async (
  credentials: CredentialWriter,
  tenant: Of,
  { email, at }: { readonly email: string; readonly at: number },
  by: Revision,
): Promise<UserChange | null> => {
  const existing = await credentials.user(tenant.tag, email);
  if (existing === null || existing.document.removed_at !== null) return null;
  const user = { ...existing.document, removed_at: toIso(at) };
  return userWrites(credentials, tenant, user, { expectedRevision: existing.revision, by }, (memberships) =>
    leaveTenant(memberships, tenant.tenant_id),
  );
};
