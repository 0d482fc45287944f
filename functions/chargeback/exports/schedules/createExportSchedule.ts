import { createExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { authorizationBy } from '../../../platform/tenancy/caller.ts';
import { requireBasis } from '../request/exportBasis.ts';
import { requireDestinationOf } from '../request/requireDeliverable.ts';
import { requireFeasibleTerms } from '../request/requireFeasible.ts';
import { toSchedule } from './schedule.store.ts';
import { scheduleResource } from './scheduleResource.ts';

export default operation(createExportSchedule, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { every, request } = body;
  const { document } = await scheduleResource(stores.scheduleStore).create(call, async (id) => {
    requireFeasibleTerms(request, caller.tenant);
    await requireDestinationOf(
      request.delivery,
      caller.tenant,
      stores.exportDestinations,
      '/request/delivery',
    );
    requireBasis(caller, request);
    return {
      id,
      every,
      request,
      residency: caller.residency,
      created_at: toIso(receivedAt),
      created_by: caller.principal,
      authorized_by: authorizationBy(caller, receivedAt),
    };
  });
  return reply(201, toSchedule(document), { location: `/v1/exports/schedules/${document.id}` });
});
