import { listModels } from '../../schemas/routes/models.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';

export default operation(listModels, ({ query, caller, receivedAt, stores }) =>
  respondWithPage({
    route: listModels,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const models = await stores.models.models(caller.tenant.tenant_id, range);
      return toPage(models, limit, ({ version }) => ulidInId(version));
    },
  }),
);
