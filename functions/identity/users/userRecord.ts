import type { UserRecord } from '../../../schemas/routes/identity/users.ts';
import type { User } from '../access/principals/user.ts';

/** What a user may do, for the audit log, which names users by id. */
export const accessOf = ({ role, removed_at }: User) => ({ role, removed_at });

/** The API representation of a user. */
export const toUserRecord = ({ user_id, email, role, created_at, removed_at }: User): UserRecord => ({
  id: user_id,
  email,
  role,
  state: removed_at === null ? 'active' : 'removed',
  created_at,
  removed_at,
});
