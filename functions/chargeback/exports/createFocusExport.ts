import { createFocusExport } from '../../../schemas/routes/chargeback/exports.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { settings } from '../../platform/shared/settings.ts';
import { statusUrlOf } from './job/exportFinishedEvent.ts';
import { newExport } from './job/job.ts';
import { requireBasis } from './request/exportBasis.ts';
import { requireFeasible } from './request/requireFeasible.ts';

export default operation(createFocusExport, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, principal, residency } = caller;
  const basis = requireBasis(caller, body);
  requireFeasible(body, basis, receivedAt);
  const ulid = deterministicUlid('export', claim.claim, receivedAt);
  const job = newExport(tenant, body, { ulid, at: receivedAt, by: principal, residency, basis });
  // On a retry the export exists, so the commit fails and only the idempotent start is repeated.
  await commit([
    ...stores.exportStore.open(job, claim),
    stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: job.job_id })),
  ]);
  await stores.executions.start(job);
  const { job_id, status, created_at } = job;
  return reply(
    202,
    { job_id, status, status_url: statusUrlOf(settings.BASE_URL, job), created_at },
    { location: `/api/v1/jobs/${job_id}` },
  );
});
