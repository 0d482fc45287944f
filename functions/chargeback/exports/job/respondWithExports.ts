import type { RouteShape } from '../../../../schemas/routes/route.ts';
import { type ListCall, readNewest, respondWithPage } from '../../../platform/http/paging.ts';
import type { Reply } from '../../../platform/http/reply.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import { isReadable } from '../request/exportBasis.ts';
import type { ExportReader } from './export.store.ts';
import { toResponse } from './job.ts';

/** Responds with a page of the exports that the caller may see, newest first. */
export const respondWithExports = (
  route: RouteShape,
  call: ListCall & { readonly stores: { readonly exports: ExportReader } },
): Promise<Reply> => {
  const { tenant, residency, scopes } = call.caller;
  return respondWithPage(route, call, async (start, limit) => {
    const read = call.stores.exports.list;
    const { items, resume } = await readNewest(
      (range) => read(tenant.tenant_id, range),
      start,
      limit,
      ({ job_id }) => job_id,
    );
    // A page may hold fewer exports than the limit: the caller does not see other lanes, or exports made from records.
    const visible = items.filter((job) => isInLane(job, residency) && isReadable({ scopes }, job.basis));
    return { items: visible.map((job) => toResponse(job, call.receivedAt)), resume };
  });
};
