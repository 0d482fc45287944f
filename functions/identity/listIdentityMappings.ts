import { listIdentityMappings } from '../../schemas/routes/identity.ts';
import { placeOf } from '../attribution/mappings/order.ts';
import { operation } from '../http/operation.ts';
import { page, stretchOf } from '../http/paging.ts';

export default operation(listIdentityMappings, ({ query, caller, receivedAt, stores }) =>
  page({
    route: listIdentityMappings,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    // There are few enough to read them all, and no other order than theirs to read them in.
    stretch: async ({ after = '' }, limit) => {
      const all = await stores.mappings.all(caller.tenant.tenant_id);
      return stretchOf(
        all.filter((mapping) => placeOf(mapping) > after),
        limit,
        placeOf,
      );
    },
  }),
);
