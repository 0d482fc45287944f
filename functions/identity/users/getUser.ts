import { getUser } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { findUser } from './findUser.ts';
import { toUserRecord } from './userRecord.ts';

export default operation(getUser, async ({ parameters, caller, stores }) =>
  reply(200, toUserRecord(await findUser(stores.credentialLists, caller.tenant, parameters['id']))),
);
