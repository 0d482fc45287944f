import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { ExportRequest } from '../../schemas/chargeback/focus.ts';
import type { Deployment } from '../../tools/operator/deployment.ts';

const REQUEST = { format: 'focus', period: { from: '2026-10-01', to: '2026-11-01' } };

/** The result of an export without rows. */
export const NO_RESULT = {
  file_count: 0,
  row_count: 0,
  bytes: 0,
  records: 0,
  cost_usd: '0',
  excluded_records: 0,
  excluded_cost_usd: '0',
  files: [],
};

/** Stores queued exports of a tenant without starting a state machine, and newer ones that succeeded. Returns the newest id. */
export const seedExports = async (
  deployment: Deployment,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  count: number,
  succeeded = 0,
): Promise<string> => {
  const { exportStore } = await import('../../functions/chargeback/exports/job/export.store.ts');
  const { markSucceeded, newExport } = await import('../../functions/chargeback/exports/job/job.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const { ulidOf } = await import('../../functions/platform/shared/ulid.ts');
  const { open } = exportStore(deployment.output('TableExports'));
  let newest = '';
  for (let index = 1; index <= count + succeeded; index += 1) {
    const context = {
      ulid: ulidOf(index, new Uint8Array(10)),
      at: Date.now(),
      by: 'planted',
      residency: null,
    };
    const queued = newExport(tenant, ExportRequest.parse(REQUEST), { ...context, basis: 'records' });
    const job = index > count ? markSucceeded(queued, NO_RESULT, context.at) : queued;
    await commit(open(job, { claim: 'planted', attempt: 1 }));
    newest = job.job_id;
  }
  return newest;
};
