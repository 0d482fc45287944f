import { randomBytes } from 'node:crypto';
import { createOAuthClient } from '../../schemas/routes/oauthClients.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { make } from '../shared/change.ts';
import { claimedUlid } from '../shared/ids.ts';
import { clientRecord } from './clientRecord.ts';
import { mintClient } from './minting.ts';
import { registrationOf } from './registration.ts';
import { grantableLane, grantableScopes } from './rights.ts';

export default operation(createOAuthClient, async (call) => {
  const { body, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant } = caller;
  const { stored, secret } = mintClient(
    {
      tenant,
      ulid: claimedUlid('oauth client', claim.claim, receivedAt),
      at: receivedAt,
      createdBy: caller.principal,
      random: randomBytes,
    },
    {
      ...registrationOf(body),
      name: body.name,
      scopes: grantableScopes(caller, body.scopes),
      residency: grantableLane(caller, body.residency),
    },
  );
  await make(
    claim,
    () => stores.credentialWriter.client(stored.client_id),
    (seen) => [
      stores.credentialWriter.putClient(stored, { seen, by: claim }),
      stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: stored.client_id })),
    ],
  );
  return reply(
    201,
    { ...clientRecord(stored, undefined, receivedAt), client_secret: secret },
    { location: `/api/v1/oauth-clients/${stored.client_id}` },
  );
});
