import * as z from 'zod';
import { deleteOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { requireAuthorityOver } from './authority.ts';
import { requireClient } from './requireCredential.ts';

export default operation(deleteOAuthClient, async (call) => {
  const { parameters, caller, receivedAt, claim, stores } = call;
  await changeOnce(call, z.null(), async () => {
    const found = await stores.credentialWriter.client(`${caller.tenant.tag}${parameters['id']}`);
    const { document: client, revision } = requireClient(found);
    requireAuthorityOver(caller, client);
    const deleted = { ...client, deleted_at: toIso(receivedAt) };
    return {
      writes: stores.credentialWriter.putClient(deleted, { expectedRevision: revision, by: claim }),
      result: null,
      resource: client.client_id,
      before: client,
      after: deleted,
    };
  });
  return reply(204, undefined);
});
