import { listUsers } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { toUserRecord } from './userRecord.ts';

export default operation(listUsers, (call) =>
  respondWithPage(listUsers, call, async ({ after }, limit) => {
    const users = await call.stores.credentialLists.users(call.caller.tenant.tag);
    const following = users.filter(({ email }) => after === undefined || email > after);
    const { items, resume } = toPage(following, limit, ({ email }) => email);
    return { items: items.map(toUserRecord), resume };
  }),
);
