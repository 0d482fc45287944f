import type { RouteShape } from '../../../schemas/routes/route.ts';
import { type ListCall, readNewest, respondWithPage } from '../../http/paging.ts';
import type { Reply } from '../../http/reply.ts';
import { isInLane } from '../../tenancy/residency.ts';
import type { ExportReader } from './export.store.ts';
import { toResponse } from './job.ts';

/** Responds with a page of the exports that the caller may see, newest first. */
export const respondWithExports = (
  route: RouteShape,
  call: ListCall & { readonly stores: { readonly exports: ExportReader } },
): Promise<Reply> => {
  const { tenant, residency } = call.caller;
  return respondWithPage(route, call, async (start, limit) => {
    const read = call.stores.exports.list;
    const { items, resume } = await readNewest(
      (range) => read(tenant.tenant_id, range),
      start,
      limit,
      ({ job_id }) => job_id,
    );
    // A page may hold fewer exports than the limit when the credential is bound to a lane.
    const visible = items.filter((job) => isInLane(job, residency));
    return { items: visible.map((job) => toResponse(job, call.receivedAt)), resume };
  });
};
