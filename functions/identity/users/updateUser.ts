import { updateUser } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { User } from '../access/principals/user.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { keepAdministrator, requireAuthorityOverRole } from './administrators.ts';
import { findUser } from './findUser.ts';
import { accessOf, toUserRecord } from './userRecord.ts';

export default operation(updateUser, async (call) => {
  const { parameters, body, caller, claim, stores } = call;
  const { tenant } = caller;
  const { result: user } = await changeOnce(call, User, async () => {
    requireAuthorityOverRole(caller, body.role);
    const { user_id: id, email } = await findUser(stores.credentialLists, tenant, parameters['id']);
    const found = await stores.credentialWriter.user(tenant.tag, email);
    if (found === null || found.document.user_id !== id || found.document.removed_at !== null) {
      throw new ProblemError('CONFLICT', 'The user was removed. Add the person again.');
    }
    const { document, revision } = found;
    const next = { ...document, role: body.role };
    if (document.role === body.role) return { writes: [], result: next, resource: null };
    requireAuthorityOverRole(caller, document.role);
    return {
      writes: [
        ...(await keepAdministrator(stores, tenant, document, claim)),
        stores.credentialWriter.putUser(tenant.tag, next, { expectedRevision: revision, by: claim }),
      ],
      result: next,
      resource: id,
      before: accessOf(document),
      after: accessOf(next),
    };
  });
  return reply(200, toUserRecord(user));
});
