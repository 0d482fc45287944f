import { updateExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { authorizationBy } from '../../../platform/tenancy/caller.ts';
import { requireBasis } from '../request/exportBasis.ts';
import { requireDestinationOf } from '../request/requireDeliverable.ts';
import { requireFeasibleTerms } from '../request/requireFeasible.ts';
import { toSchedule } from './schedule.store.ts';
import { scheduleResource } from './scheduleResource.ts';

export default operation(updateExportSchedule, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { document } = await scheduleResource(stores.scheduleStore).update(call, async (current) => {
    const { every = current.every, request = current.request } = body;
    requireFeasibleTerms(request, caller.tenant);
    if (body.request !== undefined) {
      await requireDestinationOf(
        request.delivery,
        caller.tenant,
        stores.exportDestinations,
        '/request/delivery',
      );
    }
    // The caller takes the schedule over, so it may not obtain more by it than by an export of its own.
    requireBasis(caller, request);
    const authorized_by = authorizationBy(caller, receivedAt);
    return { ...current, every, request, changed_by: caller.principal, authorized_by };
  });
  return reply(200, toSchedule(document));
});
