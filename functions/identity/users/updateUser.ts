import { updateUser } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { keepAdministrator, requireAuthorityOverRole } from './administrators.ts';
import { findUser } from './findUser.ts';
import { toUserRecord } from './userRecord.ts';

export default operation(updateUser, async ({ parameters, body, caller, claim, auditContext, stores }) => {
  const { tenant } = caller;
  requireAuthorityOverRole(caller, body.role);
  let user = await findUser(stores.credentialLists, tenant, parameters['id']);
  const { user_id: id, email } = user;
  await updateWithRetry(
    claim,
    () => stores.credentialWriter.user(tenant.tag, email),
    async ({ document, revision }) => {
      if (document.user_id !== id || document.removed_at !== null) {
        throw new ProblemError('CONFLICT', 'The user was removed. Add the person again.');
      }
      user = { ...document, role: body.role };
      if (document.role === body.role) return null;
      requireAuthorityOverRole(caller, document.role);
      return [
        ...(await keepAdministrator(stores, tenant, document, claim)),
        stores.credentialWriter.putUser(tenant.tag, user, { expectedRevision: revision, by: claim }),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
      ];
    },
  );
  return reply(200, toUserRecord(user));
});
