import { listJobs } from '../../schemas/routes/exports.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage } from '../http/paging.ts';
import { listVisibleExports } from './job/listVisibleExports.ts';

export default operation(listJobs, ({ query, caller, receivedAt: now, stores }) =>
  respondWithPage({
    route: listJobs,
    query,
    caller,
    receivedAt: now,
    cursorKey: stores.cursorKey,
    readPage: ({ after }, limit) => listVisibleExports(stores.exports, caller, { after, limit, now }),
  }),
);
