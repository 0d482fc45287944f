import { getUser } from '../../schemas/routes/access/users.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { findUser } from './findUser.ts';
import { toUserRecord } from './userRecord.ts';

export default operation(getUser, async ({ parameters, caller, stores }) =>
  reply(200, toUserRecord(await findUser(stores.credentialLists, caller.tenant, parameters['id']))),
);
