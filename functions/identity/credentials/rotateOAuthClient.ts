import { randomBytes } from 'node:crypto';
import { rotateOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { OAuthClient } from '../access/principals/client.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { requireAuthorityOver } from './authority.ts';
import { toClientRecord } from './clientRecord.ts';
import { rotateClientSecret } from './issueCredential.ts';
import { requireClient } from './requireCredential.ts';

export default operation(rotateOAuthClient, async (call) => {
  const { parameters, body, caller, receivedAt, claim, stores } = call;
  const overlap = (body.overlap_seconds ?? 0) * 1_000;

  const { result: rotated, secret } = await changeOnce(call, OAuthClient, async () => {
    const found = await stores.credentialWriter.client(`${caller.tenant.tag}${parameters['id']}`);
    const { document: client, revision } = requireClient(found);
    requireAuthorityOver(caller, client);
    if (client.secrets === null) {
      throw new ProblemError('CONFLICT', 'A public client has no secret to rotate.');
    }
    const issued = rotateClientSecret(client, { at: receivedAt, overlap, random: randomBytes });
    return {
      writes: stores.credentialWriter.putClient(issued.stored, { expectedRevision: revision, by: claim }),
      result: issued.stored,
      secret: issued.secret,
      resource: client.client_id,
      before: client,
      after: issued.stored,
    };
  });
  return reply(200, { ...toClientRecord(rotated, undefined, receivedAt), client_secret: secret });
});
