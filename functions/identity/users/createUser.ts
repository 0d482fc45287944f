import { createUser } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import { registerUser } from '../access/userWrites.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { requireAuthorityOverRole } from './administrators.ts';
import { toUserRecord } from './userRecord.ts';

/** Optimistic lock: the record and the tenants of a person are rarely changed, and by few at a time. */
const MAX_ATTEMPTS = 12;

export default operation(createUser, async ({ body, caller, receivedAt, claim, auditContext, stores }) => {
  const { tenant } = caller;
  requireAuthorityOverRole(caller, body.role);
  // Follows from the claim, so that a retry finds what a crashed attempt added.
  const userId = idOf('usr', tenant.tag, deterministicUlid('user', claim.claim, receivedAt));
  const addOnce = async () => {
    const existing = (await stores.credentialWriter.user(tenant.tag, body.email))?.document;
    if (existing?.user_id === userId) return { user: existing, isNew: false };
    if (existing?.removed_at === null) {
      throw new ProblemError('CONFLICT', 'The tenant has a user with this e-mail address.');
    }
    const { user, writes } = await registerUser(
      stores.credentialWriter,
      tenant,
      { ...body, userId, at: receivedAt },
      claim,
    );
    const audited = stores.audit.append(
      tenant.tenant_id,
      buildAuditEntry(auditContext, { resource: user.user_id }),
    );
    return (await commit([...writes, audited])) ? { user, isNew: true } : CONFLICT;
  };
  const { user, isNew } = await retryOnConflict(addOnce, { maxAttempts: MAX_ATTEMPTS, subject: 'a user' });
  // After the membership, so that nobody is invited to a tenant that does not know the person. A retry invites again only
  // whom the pool does not know: the first attempt may have sent the mail.
  await stores.invitations.invite(user.email, { repeat: isNew });
  return reply(201, toUserRecord(user), { location: `/api/v1/users/${user.user_id}` });
});
