import * as z from 'zod';
import { revokeApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { requireAuthorityOver } from './authority.ts';
import { requireApiKey } from './requireCredential.ts';

export default operation(revokeApiKey, async (call) => {
  const { parameters, caller, receivedAt, claim, stores } = call;
  await changeOnce(call, z.null(), async () => {
    const found = await stores.credentialWriter.apiKey(`${caller.tenant.tag}${parameters['id']}`);
    const { document: key, revision } = requireApiKey(found);
    requireAuthorityOver(caller, key);
    if (key.revoked_at !== null) return { writes: [], result: null, resource: null };
    const revoked = { ...key, revoked_at: toIso(receivedAt) };
    return {
      writes: stores.credentialWriter.putApiKey(revoked, { expectedRevision: revision, by: claim }),
      result: null,
      resource: key.key_id,
      before: key,
      after: revoked,
    };
  });
  return reply(204, undefined);
});
