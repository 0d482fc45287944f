import { randomBytes } from 'node:crypto';
import { createOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { OAuthClient } from '../access/principals/client.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { toClientRecord } from './clientRecord.ts';
import { validateRegistration } from './clientRegistration.ts';
import { validateConnector } from './connectorRegistration.ts';
import { issueClient } from './issueCredential.ts';
import { grantableLane, grantableScopes } from './rights.ts';

export default operation(createOAuthClient, async (call) => {
  const { body, caller, receivedAt, claim, stores } = call;
  const { result: client, secret } = await changeOnce(call, OAuthClient, async () => {
    const issued = issueClient(
      {
        tenant: caller.tenant,
        ulid: deterministicUlid('oauth client', claim.claim, receivedAt),
        at: receivedAt,
        createdBy: caller.principal,
        random: randomBytes,
      },
      {
        ...validateRegistration(body),
        ...validateConnector(body),
        name: body.name,
        scopes: grantableScopes(caller, body.scopes),
        residency: grantableLane(caller, body.residency),
      },
    );
    return {
      writes: stores.credentialWriter.putClient(issued.stored, { expectedRevision: null, by: claim }),
      result: issued.stored,
      secret: issued.secret,
      resource: issued.stored.client_id,
      before: null,
      after: issued.stored,
    };
  });
  return reply(
    201,
    { ...toClientRecord(client, undefined, receivedAt), client_secret: secret },
    { location: `/api/v1/oauth-clients/${client.client_id}` },
  );
});
