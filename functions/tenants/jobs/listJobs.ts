import type { ExportJob } from '../../../schemas/chargeback/exports.ts';
import { PAGE_SIZE_MAXIMUM } from '../../../schemas/page.ts';
import { listJobs } from '../../../schemas/routes/tenants/jobs.ts';
import type { BackgroundJob } from '../../../schemas/tenants/backgroundJob.ts';
import { shownExports } from '../../chargeback/exports/job/shownExports.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage } from '../../platform/http/pages/paging.ts';
import type { DocumentRange } from '../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toSandbox } from '../sandbox/sandbox.ts';
import { toBackgroundJob, toResetJob } from './backgroundJob.ts';
import { pageOfJobs } from './pageOfJobs.ts';
import { listedTypes } from './readableJobs.ts';

export default operation(listJobs, (call) => {
  const { query, caller, receivedAt: now, stores } = call;
  const { tenant, scopes } = caller;
  const types = listedTypes(caller, query.type);
  const readsJobs = [...types].some((type) => type !== 'focus_export' && type !== 'sandbox_reset');

  return respondWithPage(listJobs, call, async ({ after }, limit) => {
    // Most jobs of a tenant can be of other types than the requested one.
    const read = query.type === undefined ? limit + 1 : PAGE_SIZE_MAXIMUM + 1;
    const range: DocumentRange = { after, descending: true, limit: read };
    const [exports, jobs, sandbox] = await Promise.all([
      types.has('focus_export') ? stores.exports.list(tenant.tenant_id, range) : [],
      readsJobs ? stores.jobs.list(tenant.tenant_id, range) : [],
      types.has('sandbox_reset') && tenant.sandbox === true ? stores.sandboxes.find(tenant.tenant_id) : null,
    ]);
    const reset = sandbox === null ? null : toSandbox(sandbox.document, now).reset;
    const resets = reset === null ? [] : [{ ulid: ulidInId(reset.job_id), job: toResetJob(reset) }];
    return pageOfJobs<ExportJob | BackgroundJob>(
      [
        exports.map((one) => ({
          ulid: ulidInId(one.job_id),
          job: shownExports(caller, [one], now)[0] ?? null,
        })),
        jobs.map((one) => ({
          ulid: ulidInId(one.job_id),
          job: types.has(one.request.type) ? toBackgroundJob(one, scopes) : null,
        })),
        resets.filter(({ ulid }) => after === undefined || ulid < after),
      ],
      limit,
      read,
    );
  });
});
