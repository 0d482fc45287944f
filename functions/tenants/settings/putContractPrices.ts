import { type PriceChange, putContractPrices } from '../../../schemas/routes/chargeback/contractPrices.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { contractPricesVersion } from '../../impact/price/contractPrices.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { contractPriceChanges } from './contractPriceChanges.ts';

export default operation(putContractPrices, async ({ body, caller, claim, auditContext, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const { prices } = body;
  let changes: PriceChange[] | null = null;
  await updateWithRetry(
    claim,
    () => stores.tenantSettings.contractPrices(tenantId),
    ({ document: current, revision }, isRetry) => {
      if (isRetry) return null;
      changes = contractPriceChanges(current, prices);
      return [
        stores.tenantSettings.putContractPrices(tenantId, prices, {
          expectedRevision: revision,
          by: claim,
        }),
        stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: tenantId })),
      ];
    },
  );
  return reply(200, { version: contractPricesVersion(prices), prices, changes });
});
