import type { Page } from '../../http/paging.ts';
import { ulidInId } from '../../shared/ids.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { isInLane } from '../../tenancy/residency.ts';
import type { ExportReader } from './export.store.ts';
import { toResponse } from './job.ts';

/**
 * A page of a tenant's exports, newest first, filtered by the caller's residency lane. It makes one read, so a page may have
 * fewer than `limit` items although more pages follow.
 */
export const listVisibleExports = async (
  exports: ExportReader,
  { tenant, residency }: Pick<Caller, 'tenant' | 'residency'>,
  { after, limit, now }: { readonly after: string | undefined; readonly limit: number; readonly now: number },
): Promise<Page<ReturnType<typeof toResponse>>> => {
  const found = await exports.list(tenant.tenant_id, { after, descending: true, limit: limit + 1 });
  const examined = found.slice(0, limit);
  const last = examined.at(-1);
  return {
    items: examined.filter((job) => isInLane(job, residency)).map((job) => toResponse(job, now)),
    resume: found.length > limit && last !== undefined ? ulidInId(last.job_id) : null,
  };
};
