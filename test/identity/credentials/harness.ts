import { ApiKey, parseApiKey } from '../../../functions/identity/access/apiKey.ts';
import { OAuthClient } from '../../../functions/identity/access/client.ts';
import {
  credentialLists,
  credentialReader,
  credentialWriter,
} from '../../../functions/identity/access/credential.store.ts';
import { secretMatches } from '../../../functions/identity/access/secret.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import createApiKey from '../../../functions/identity/credentials/createApiKey.ts';
import createOAuthClient from '../../../functions/identity/credentials/createOAuthClient.ts';
import deleteOAuthClient from '../../../functions/identity/credentials/deleteOAuthClient.ts';
import revokeApiKey from '../../../functions/identity/credentials/revokeApiKey.ts';
import rotateApiKey from '../../../functions/identity/credentials/rotateApiKey.ts';
import rotateOAuthClient from '../../../functions/identity/credentials/rotateOAuthClient.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { lastUse } from '../../../functions/platform/limits/lastUse.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type Scope, scopeNames } from '../../../schemas/access/scopes.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';

const operationsOf = () => {
  const stores = {
    audit: auditLog('audit'),
    credentials: credentialReader('access'),
    credentialLists: credentialLists('access'),
    credentialWriter: credentialWriter('access'),
    lastUse: lastUse('limits'),
    outbox: outbox('outbox'),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    createApiKey: createApiKey(stores),
    rotateApiKey: rotateApiKey(stores),
    revokeApiKey: revokeApiKey(stores),
    createOAuthClient: createOAuthClient(stores),
    rotateOAuthClient: rotateOAuthClient(stores),
    deleteOAuthClient: deleteOAuthClient(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof ReturnType<typeof operationsOf>;

/** The credential operations behind the whole middleware pipeline, on real tables, with a test clock. */
export const startCredentialsHarness = async () => {
  const live = await startTables();
  const operations = operationsOf();
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };

  return {
    live,
    time,
    newTenant,
    /** One call by a credential of the tenant. Default: all scopes. */
    call: (
      name: OperationName,
      sent: TenantRequest,
      scopes: readonly Scope[] = scopeNames,
    ): Promise<TestResponse> => callAsTenant(operations[name], sent, { scopes, clock: () => time.now }),
    keysOf: async ({ tag }: Tenant) =>
      (await live.documents('access', `key#${tag}`)).map((one) => ApiKey.parse(one)),
    clientsOf: async ({ tag }: Tenant) =>
      (await live.documents('access', `client#${tag}`)).map((one) => OAuthClient.parse(one)),
    auditOf: live.auditOf,
    eventsOf: live.eventsOf,
    /** Every row of the tables that a credential is written to, as text. */
    everything: () => live.everything('access', 'audit', 'outbox', 'idempotency', 'limits'),
    /** Whether an API key or a client secret is valid now. */
    works: (secret: string, { secrets }: Pick<OAuthClient, 'secrets'>): boolean =>
      secretMatches(secrets, parseApiKey(secret)?.secret ?? secret, time.now),
  };
};
export type CredentialsHarness = Awaited<ReturnType<typeof startCredentialsHarness>>;
