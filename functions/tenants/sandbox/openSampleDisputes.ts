import type { StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { type CorrectionStores, correctionWrites } from '../../attribution/corrections/correctionWrites.ts';
import { correctable } from '../../attribution/corrections/correctRecord.ts';
import { disputeCorrection } from '../../attribution/corrections/disputeCorrection.ts';
import type { AuditLog } from '../../identity/audit/audit.store.ts';
import { auditChanges } from '../../identity/audit/auditChanges.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import type { DedupClaimReader } from '../../ledger/records/dedup/dedupClaimReader.store.ts';
import { recordPartitionOf } from '../../ledger/records/ledgerKey.ts';
import { deterministicUlid, idOf, invocationUlid } from '../../platform/shared/ids.ts';
import { commitWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleOf } from './resetStep.ts';
import { disputedCalls } from './sample/disputes.ts';

interface DisputeStores extends CorrectionStores {
  readonly claims: DedupClaimReader;
  readonly audit: AuditLog;
}

/**
 * Opens the disputes of the data set, in the name of the reset. Their ids follow from the reset, so what an interrupted
 * attempt opened is not opened again. A record that does not exist, or that a caller has disputed since, is left out.
 */
export const sampleDisputeOpener =
  (stores: DisputeStores) =>
  async (tenant: Tenant, reset: StoredReset): Promise<void> => {
    const { tenant_id: tenantId, tag } = tenant;
    const by = reset.reset_id;
    const receivedAt = Date.parse(reset.requested_at);
    for (const { dispute, event } of disputedCalls(sampleOf(reset))) {
      const ulid = await stores.claims.recordOf(tenantId, invocationUlid(tenantId, event.event_id));
      if (ulid === null) continue;
      const claim = { claim: `${by} dispute ${dispute.name}`, attempt: 1 };
      const { reason, owner, service } = dispute;
      const id = idOf('dsp', tag, deterministicUlid('sandbox dispute', claim.claim, receivedAt));
      const auditContext = {
        ulid: deterministicUlid('sandbox audit', claim.claim, receivedAt),
        tag,
        action: 'attribution.dispute',
        // The reset acts with the credentials of the deployment.
        actor: { type: 'operator', id: by },
        sourceIp: null,
        traceId: null,
      } as const;
      const context = { tenant, ulid, receivedAt, claim, stores, authorize: () => undefined };
      const key = { partition: recordPartitionOf(tenant, ulid), ulid };
      await commitWithRetry(async () => {
        const found = await stores.corrections.find(tenantId, key);
        const disputed = found?.newest.attribution.record.dispute;
        // An earlier attempt has opened it, or a caller another one.
        if (found === null || disputed?.id === id || disputed?.status === 'open') {
          return { writes: [], result: undefined };
        }
        const correction = disputeCorrection({ id, by, reason, owner, service });
        const { writes, result, before } = await correctionWrites(context, correction);
        const entry = buildAuditEntry(auditContext, {
          resource: before.id,
          changed: auditChanges({ before: correctable(before), after: correctable(result.record) }),
        });
        return { writes: [...writes, stores.audit.append(tenantId, entry)], result: undefined };
      });
    }
  };
