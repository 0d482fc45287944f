import { listModels } from '../../schemas/routes/models.ts';
import { operation } from '../http/operation.ts';
import { page, stretchOf } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';

export default operation(listModels, ({ query, caller, receivedAt, stores }) =>
  page({
    route: listModels,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const models = await stores.models.models(caller.tenant.tenant_id, range);
      return stretchOf(models, limit, ({ version }) => ulidInId(version));
    },
  }),
);
