import * as z from 'zod';
import { deleteBill } from '../../../schemas/routes/chargeback/bills.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { isActive, type StoredDelivery } from './deliveries/delivery.ts';
import { toDelivery } from './deliveries/toDelivery.ts';

/** The deliveries with the last days, of which the newest charge is one. Fewer would be misled by those that were taken back. */
const LAST_DELIVERIES = 16;

export default operation(deleteBill, async (call) => {
  const { caller, claim, parameters, receivedAt, stores } = call;
  const { bills, billWriter } = stores;
  const { tenant_id: tenantId } = caller.tenant;
  const id = parameters['delivery_id'] ?? '';
  // Loaded with the first deletion: the function starts for reads without it.
  const { findDelivery, newestOf } = await import('./deliveries/storeDelivery.ts');
  await changeOnce(call, z.null(), async () => {
    const { current } = await findDelivery(billWriter, tenantId, id);
    if (current === null || !isActive(current.document, receivedAt)) {
      throw new ProblemError('NOT_FOUND', 'There is no such delivery.');
    }
    const next: StoredDelivery = { ...current.document, state: 'taken_back' };
    const mark = await billWriter.watermark(tenantId);
    const last = await bills.deliveries(tenantId, { descending: true, limit: LAST_DELIVERIES });
    const newest = last.filter((other) => other.id !== id).reduce(newestOf, null);
    return {
      writes: [
        billWriter.putDelivery(tenantId, next, { expectedRevision: current.revision, by: claim }),
        billWriter.putWatermark(
          tenantId,
          { newest },
          { expectedRevision: mark?.revision ?? null, by: claim },
        ),
      ],
      result: null,
      resource: id,
      before: toDelivery(current.document, receivedAt),
      after: null,
    };
  });
  return reply(204, undefined);
});
