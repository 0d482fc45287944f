import { listJobs } from '../../schemas/routes/exports.ts';
import { operation } from '../http/operation.ts';
import { page } from '../http/paging.ts';
import { listed } from './job/listed.ts';

export default operation(listJobs, ({ query, caller, receivedAt: now, stores }) =>
  page({
    route: listJobs,
    query,
    caller,
    receivedAt: now,
    cursorKey: stores.cursorKey,
    stretch: ({ after }, limit) => listed(stores.exports, caller, { after, limit, now }),
  }),
);
