import { removeUser as route } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { removeUser } from '../access/userWrites.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { keepAdministrator, requireAuthorityOverRole } from './administrators.ts';
import { findUser } from './findUser.ts';

export default operation(route, async ({ parameters, caller, receivedAt, claim, auditContext, stores }) => {
  const { tenant } = caller;
  const { user_id: id, email } = await findUser(stores.credentialLists, tenant, parameters['id']);
  await updateWithRetry(
    claim,
    () => stores.credentialWriter.user(tenant.tag, email),
    async ({ document }) => {
      requireAuthorityOverRole(caller, document.role);
      if (document.user_id !== id || document.removed_at !== null) return null;
      const removed = await removeUser(stores.credentialWriter, tenant, { email, at: receivedAt }, claim);
      if (removed === null) return null;
      const kept = await keepAdministrator(stores, tenant, { ...removed.user, removed_at: null }, claim);
      const audited = stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id }));
      return [...kept, ...removed.writes, audited];
    },
  );
  return reply(204, undefined);
});
