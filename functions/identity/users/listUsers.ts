import { listUsers } from '../../../schemas/routes/identity/users.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/paging.ts';
import { toUserRecord } from './userRecord.ts';

export default operation(listUsers, (call) =>
  respondWithPage(listUsers, call, async ({ after }, limit) => {
    const { tag } = call.caller.tenant;
    const users = await call.stores.credentialLists.users(tag, {
      after,
      descending: false,
      limit: limit + 1,
    });
    const { items, resume } = toPage(users, limit, ({ email }) => email);
    return { items: items.map(toUserRecord), resume };
  }),
);
