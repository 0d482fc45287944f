import type { Role } from '../../../schemas/identity/roles.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import type { Revision, Write } from '../../platform/shared/aws/document.store.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { CredentialLists, CredentialWriter } from '../access/principals/credential.store.ts';
import type { User } from '../access/principals/user.ts';
import { requireAuthorityOver } from '../credentials/authority.ts';
import { findUserWhere } from './findUser.ts';

/**
 * Requires that the caller may do everything that a role may do: an administrator cannot give more than it has. A user has
 * no lane. Throws INSUFFICIENT_SCOPE or RESIDENCY_BLOCKED.
 */
export const requireAuthorityOverRole = (caller: Caller, role: Role): void =>
  requireAuthorityOver(caller, { scopes: roles[role], residency: null });

const isAdministrator = ({ role, removed_at }: User): boolean => role === 'admin' && removed_at === null;

/**
 * The writes that keep one administrator in the tenant when `user` stops being one. They write another administrator
 * unchanged, so that two administrators who remove each other at the same time conflict. Throws CONFLICT if there is no
 * other one.
 */
export const keepAdministrator = async (
  stores: { readonly credentialLists: CredentialLists; readonly credentialWriter: CredentialWriter },
  tenant: Caller['tenant'],
  user: User,
  by: Revision,
): Promise<Write[]> => {
  if (!isAdministrator(user)) return [];
  const other = await findUserWhere(
    stores.credentialLists,
    tenant,
    (one) => isAdministrator(one) && one.user_id !== user.user_id,
  );
  const stored = other === null ? null : await stores.credentialWriter.user(tenant.tag, other.email);
  if (stored === null || !isAdministrator(stored.document)) {
    throw new ProblemError('CONFLICT', 'A tenant needs an administrator. Add another one first.');
  }
  return [
    stores.credentialWriter.putUser(tenant.tag, stored.document, { expectedRevision: stored.revision, by }),
  ];
};
