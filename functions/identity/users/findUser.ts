import { idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { CredentialLists } from '../access/principals/credential.store.ts';
import type { User } from '../access/principals/user.ts';

/** The first user that meets a condition, in the order of the addresses. Null if there is none. */
export const findUserWhere = async (
  lists: CredentialLists,
  { tag }: Pick<Tenant, 'tag'>,
  isWanted: (user: User) => boolean,
): Promise<User | null> => (await lists.users(tag)).find(isWanted) ?? null;

/** A user by the ULID of its id. Users are stored by address, because sign-ins look for it. Throws NOT_FOUND. */
export const findUser = async (
  lists: CredentialLists,
  tenant: Pick<Tenant, 'tag'>,
  ulid: string | undefined,
): Promise<User> => {
  const id = idOf('usr', tenant.tag, ulid ?? '');
  const user = await findUserWhere(lists, tenant, ({ user_id }) => user_id === id);
  if (user === null) throw new ProblemError('NOT_FOUND', 'There is no such user.');
  return user;
};
