import { randomBytes, randomUUID } from 'node:crypto';
import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { ApiKey, parseApiKey } from '../../functions/access/apiKey.ts';
import { OAuthClient } from '../../functions/access/client.ts';
import { secretMatches } from '../../functions/access/secret.ts';
import { auditLog } from '../../functions/audit/audit.store.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { lastUse } from '../../functions/limits/lastUse.store.ts';
import { tenantTag } from '../../functions/shared/ids.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { AuditEntry } from '../../schemas/access/audit.ts';
import { type Scope, scopeNames } from '../../schemas/access/scopes.ts';
import { RaisedEvent } from '../../schemas/events.ts';
import { aTenant } from '../attribution/events.ts';
import { callAsTenant, type TenantRequest } from '../http/callAsTenant.ts';
import { BASE_URL, type TestResponse } from '../http/harness.ts';
import { startTables } from '../shared/tables.ts';

/** Environment variables that the stack sets. They are read once, when the operations are loaded. */
const ENVIRONMENT = { BASE_URL, ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' };

const loadOperations = async () => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  const { credentialLists, credentialReader, credentialWriter } = await import(
    '../../functions/access/credential.store.ts'
  );
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
    createApiKey: (await import('../../functions/credentials/createApiKey.ts')).default(stores),
    rotateApiKey: (await import('../../functions/credentials/rotateApiKey.ts')).default(stores),
    revokeApiKey: (await import('../../functions/credentials/revokeApiKey.ts')).default(stores),
    createOAuthClient: (await import('../../functions/credentials/createOAuthClient.ts')).default(stores),
    rotateOAuthClient: (await import('../../functions/credentials/rotateOAuthClient.ts')).default(stores),
    deleteOAuthClient: (await import('../../functions/credentials/deleteOAuthClient.ts')).default(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof Awaited<ReturnType<typeof loadOperations>>;

/** The credential operations behind the whole middleware pipeline, on real tables, with a test clock. */
export const startCredentialsHarness = async () => {
  const live = await startTables();
  const operations = await loadOperations();
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };

  const documents = async (table: string, pk: string): Promise<unknown[]> => {
    const { Items = [] } = await live.client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        ConsistentRead: true,
      }),
    );
    return Items.map(({ document }) => JSON.parse(document?.S ?? ''));
  };

  return {
    live,
    time,
    newTenant: (members: Partial<Tenant> = {}): Tenant => {
      const tenant_id = `tenant-${randomUUID()}`;
      return aTenant({ ...members, tenant_id, tag: tenantTag(tenant_id, randomBytes(32)) });
    },
    /** One call by a credential of the tenant. Default: all scopes. */
    call: (
      name: OperationName,
      sent: TenantRequest,
      scopes: readonly Scope[] = scopeNames,
    ): Promise<TestResponse> => callAsTenant(operations[name], sent, { scopes, clock: () => time.now }),
    keysOf: async ({ tag }: Tenant) =>
      (await documents('access', `key#${tag}`)).map((one) => ApiKey.parse(one)),
    clientsOf: async ({ tag }: Tenant) =>
      (await documents('access', `client#${tag}`)).map((one) => OAuthClient.parse(one)),
    auditOf: async ({ tenant_id }: Tenant) =>
      (await documents('audit', `${tenant_id}#2026-05`)).map((one) => AuditEntry.parse(one)),
    eventsOf: async ({ tenant_id }: Tenant) =>
      (await documents('outbox', tenant_id)).map((one) => RaisedEvent.parse(one)),
    /** Every row of every table, as text. */
    everything: async (): Promise<string> => {
      const tables = ['access', 'audit', 'outbox', 'idempotency', 'limits'];
      const scans = tables.map((TableName) => live.client.send(new ScanCommand({ TableName })));
      return JSON.stringify((await Promise.all(scans)).map(({ Items }) => Items));
    },
    /** Whether an API key or a client secret is valid now. */
    works: (secret: string, { secrets }: Pick<OAuthClient, 'secrets'>): boolean =>
      secretMatches(secrets, parseApiKey(secret)?.secret ?? secret, time.now),
  };
};
export type CredentialsHarness = Awaited<ReturnType<typeof startCredentialsHarness>>;
