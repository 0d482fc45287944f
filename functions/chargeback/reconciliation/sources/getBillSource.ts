import { getBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { requireBillSource } from './billSource.ts';
import { toBillSource } from './toBillSource.ts';

export default operation(getBillSource, async ({ parameters, caller, receivedAt, stores }) => {
  const source = await stores.billSources.source(caller.tenant.tenant_id, parameters['id'] ?? '');
  return reply(200, toBillSource(requireBillSource(source), receivedAt, stores.importRoleArn));
});
