import { updateBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { checkPatch, patchBillSource } from './billSource.ts';
import { billSourceResource } from './billSourceResource.ts';
import { toBillSource } from './toBillSource.ts';

export default operation(updateBillSource, async (call) => {
  const { body, receivedAt, stores } = call;
  const { document } = await billSourceResource(stores.billSourceWriter).update(call, async (source) => {
    checkPatch(source, body);
    const { credential } = body;
    const sealed = credential === undefined ? null : await stores.sealCredential(credential, source.id);
    return patchBillSource(source, body, { sealed, at: receivedAt });
  });
  return reply(200, toBillSource(document, receivedAt, stores.importRoleArn));
});
