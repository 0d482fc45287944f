import { getSandbox } from '../../../schemas/routes/tenants/sandbox.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { notASandbox, toSandbox } from './sandbox.ts';

export default operation(getSandbox, async ({ caller, receivedAt, stores }) => {
  const found = await stores.sandboxes.find(caller.tenant.tenant_id);
  if (found === null) throw notASandbox();
  return reply(200, toSandbox(found.document, receivedAt));
});
