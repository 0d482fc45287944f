import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { ExportRequest } from '../../schemas/chargeback/focus.ts';
import type { Deployment } from '../../tools/operator/deployment.ts';

const REQUEST = { format: 'focus', period: { from: '2026-10-01', to: '2026-11-01' } };

/** Stores queued exports of a tenant without starting a state machine. */
export const seedExports = async (
  deployment: Deployment,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  count: number,
): Promise<void> => {
  const { exportStore } = await import('../../functions/chargeback/exports/job/export.store.ts');
  const { newExport } = await import('../../functions/chargeback/exports/job/job.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const { ulidOf } = await import('../../functions/platform/shared/ulid.ts');
  const { open } = exportStore(deployment.output('TableExports'));
  for (let index = 1; index <= count; index += 1) {
    const context = {
      ulid: ulidOf(index, new Uint8Array(10)),
      at: Date.now(),
      by: 'planted',
      residency: null,
    };
    const job = newExport(tenant, ExportRequest.parse(REQUEST), { ...context, basis: 'records' });
    await commit(open(job, { claim: 'planted', attempt: 1 }));
  }
};
