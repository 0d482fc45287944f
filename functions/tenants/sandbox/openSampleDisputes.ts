import type { StoredReset } from '../../../schemas/sandbox.ts';
import { disputeCorrection } from '../../attribution/corrections/disputeCorrection.ts';
import { type CorrectionStores, writeCorrection } from '../../attribution/corrections/writeCorrection.ts';
import type { DedupClaimReader } from '../../ledger/records/dedupClaim.store.ts';
import { recordPartitionOf } from '../../ledger/records/ledgerKey.ts';
import { deterministicUlid, idOf, invocationUlid } from '../../platform/shared/ids.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleOf } from './resetStep.ts';
import { disputedCalls } from './sample/disputes.ts';

interface DisputeStores extends CorrectionStores {
  readonly claims: DedupClaimReader;
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
      const key = { partition: recordPartitionOf(tenant, ulid), ulid };
      const found = await stores.corrections.find(tenantId, key, claim.claim);
      if (found === null || found.document.ownVersion !== null) continue;
      if (found.document.newest.attribution.record.dispute?.status === 'open') continue;
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
      await writeCorrection(
        { tenant, ulid, receivedAt, claim, auditContext, stores, authorize: () => undefined },
        disputeCorrection({ id, by, reason, owner, service }),
      );
    }
  };
