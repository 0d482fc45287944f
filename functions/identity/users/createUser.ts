import { createUser } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { CredentialWriter } from '../access/principals/credential.store.ts';
import { User } from '../access/principals/user.ts';
import { registerUser } from '../access/principals/userWrites.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { requireAuthorityOverRole } from './administrators.ts';
import { accessOf, toUserRecord } from './userRecord.ts';

/** A repeated invitation replaces the temporary password, which another tenant may have sent to the person. */
const belongsToNoOther = async (
  credentials: CredentialWriter,
  { email, tenant_id }: User,
): Promise<boolean> =>
  (await credentials.memberships(email))?.document.every((joined) => joined.tenant_id === tenant_id) ?? true;

export default operation(createUser, async (call) => {
  const { body, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  const isRetry = claim.effect !== null;
  const { result: user } = await changeOnce(call, User, async () => {
    requireAuthorityOverRole(caller, body.role);
    const existing = (await stores.credentialWriter.user(tenant.tag, body.email))?.document;
    if (existing?.removed_at === null) {
      throw new ProblemError('CONFLICT', 'The tenant has a user with this e-mail address.');
    }
    const userId = idOf('usr', tenant.tag, deterministicUlid('user', claim.claim, receivedAt));
    const added = { ...body, userId, at: receivedAt };
    const { user, writes } = await registerUser(stores.credentialWriter, tenant, added, claim);
    return { writes, result: user, resource: user.user_id, before: null, after: accessOf(user) };
  });
  // After the membership, so that nobody is invited to a tenant that does not know the person. A retry invites again only
  // whom the pool does not know: the first attempt may have sent the mail.
  const repeat = !isRetry && (await belongsToNoOther(stores.credentialWriter, user));
  await stores.invitations.invite(user.email, { repeat });
  return reply(201, toUserRecord(user), { location: `/api/v1/users/${user.user_id}` });
});
