import * as z from 'zod';
import { removeUser as route } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { removeUser } from '../access/principals/userWrites.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { keepAdministrator, requireAuthorityOverRole } from './administrators.ts';
import { findUser } from './findUser.ts';
import { accessOf } from './userRecord.ts';

export default operation(route, async (call) => {
  const { parameters, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  await changeOnce(call, z.null(), async () => {
    const found = await findUser(stores.credentialLists, tenant, parameters['id']);
    const { user_id: resource, email } = found;
    requireAuthorityOverRole(caller, found.role);
    const removed = await removeUser(stores.credentialWriter, tenant, { email, at: receivedAt }, claim);
    if (removed?.user.user_id !== resource) return { writes: [], result: null, resource: null };
    requireAuthorityOverRole(caller, removed.user.role);
    const kept = await keepAdministrator(stores, tenant, { ...removed.user, removed_at: null }, claim);
    return {
      writes: [...kept, ...removed.writes],
      result: null,
      resource,
      before: accessOf(found),
      after: accessOf(removed.user),
    };
  });
  return reply(204, undefined);
});
