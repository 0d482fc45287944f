import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { credentialReader } from '../../functions/access/credential.store.ts';
import { auditLog } from '../../functions/audit/audit.store.ts';
import { egress } from '../../functions/egress/egress.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { commit } from '../../functions/shared/aws/document.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { deliveryLog, deliveryLogReader } from '../../functions/webhooks/deliveries/deliveryLog.store.ts';
import { endpointWriter, type StoredEndpoint } from '../../functions/webhooks/endpoints/endpoint.store.ts';
import { unsealChallenge, unsealSecrets } from '../../functions/webhooks/endpoints/seal.ts';
import { publisher } from '../../functions/webhooks/streams/publish.ts';
import { replayReader } from '../../functions/webhooks/streams/replay.store.ts';
import { StoredEntry, streamStore } from '../../functions/webhooks/streams/stream.store.ts';
import { AuditEntry } from '../../schemas/access/audit.ts';
import type { Scope } from '../../schemas/access/scopes.ts';
import type { RaisedEvent } from '../../schemas/events.ts';
import type { TableName } from '../../schemas/platform/tables.ts';
import type { DeliveryAttempt } from '../../schemas/webhooks.ts';
import { callAsTenant, type TenantRequest } from '../http/callAsTenant.ts';
import { BASE_URL, type TestResponse } from '../http/harness.ts';
import { startTables } from '../shared/tables.ts';
import { ALL_SCOPES } from './authorizing.ts';

/** The environment of the function. It is read once, when the operations are loaded. */
const ENVIRONMENT = { BASE_URL, ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' };
const KEY = new Uint8Array(32).fill(7);
const PUBLIC_ADDRESS = '93.184.215.14';

const loadOperations = async (time: { now: number }, names: Map<string, readonly string[]>) => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  const { vet } = egress({
    policy: { ports: [], allowHosts: [] },
    resolver: async (host) => {
      const addresses = names.get(host);
      if (addresses === undefined) throw new Error('ENOTFOUND');
      return addresses;
    },
    now: () => time.now,
  });
  const writer = endpointWriter('webhooks');
  const stores = {
    audit: auditLog('audit'),
    credentials: credentialReader('access'),
    endpoints: writer,
    endpointWriter: writer,
    endpointKey: async () => KEY,
    vet,
    publisher: publisher({
      streams: streamStore('deliveries'),
      clock: () => time.now,
      newClaim: randomUUID,
    }),
    deliveryLog: deliveryLogReader('deliveries'),
    raised: replayReader('outbox'),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    create: (await import('../../functions/webhooks/createWebhook.ts')).default(stores),
    list: (await import('../../functions/webhooks/listWebhooks.ts')).default(stores),
    get: (await import('../../functions/webhooks/getWebhook.ts')).default(stores),
    update: (await import('../../functions/webhooks/updateWebhook.ts')).default(stores),
    remove: (await import('../../functions/webhooks/deleteWebhook.ts')).default(stores),
    verify: (await import('../../functions/webhooks/verifyWebhook.ts')).default(stores),
    rotate: (await import('../../functions/webhooks/rotateWebhookSecret.ts')).default(stores),
    test: (await import('../../functions/webhooks/testWebhook.ts')).default(stores),
    replay: (await import('../../functions/webhooks/replayToWebhook.ts')).default(stores),
    deliveries: (await import('../../functions/webhooks/listWebhookDeliveries.ts')).default(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof Awaited<ReturnType<typeof loadOperations>>;

export interface OperationRequest {
  readonly tenant: Tenant;
  readonly id?: string;
  readonly body?: object;
  readonly query?: Record<string, string>;
  readonly key?: string;
  readonly residency?: string;
  readonly principal?: string;
}

/** The webhook operations behind the complete middleware pipeline, on real tables, with a simulated clock and DNS. */
export const startWebhooksHarness = async () => {
  const live = await startTables();
  const time = { now: Date.parse('2026-05-20T12:00:00Z') };
  /** The addresses of host names. Other names do not resolve. */
  const names = new Map<string, readonly string[]>([
    ['hooks.example.com', [PUBLIC_ADDRESS]],
    ['other.example.com', [PUBLIC_ADDRESS]],
  ]);
  const operations = await loadOperations(time, names);
  const rowsOf = async (table: TableName) =>
    (await live.client.send(new ScanCommand({ TableName: table, ConsistentRead: true }))).Items ?? [];

  return {
    live,
    time,
    names,
    /** One call by a credential of the tenant. `sent.id` is the endpoint id. */
    call: (
      name: OperationName,
      sent: TenantRequest,
      scopes: readonly Scope[] = ALL_SCOPES,
    ): Promise<TestResponse> => callAsTenant(operations[name], sent, { scopes, clock: () => time.now }),
    stored: ({ tenant_id }: Tenant): Promise<StoredEndpoint[]> =>
      endpointWriter('webhooks').endpointsOf(tenant_id),
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await endpointWriter('webhooks').find(tenant_id, 'none')).document.head.count,
    /** Changes a stored endpoint, as the delivery worker does. */
    put: async ({ tenant_id }: Tenant, id: string, change: (found: StoredEndpoint) => StoredEndpoint) => {
      const writer = endpointWriter('webhooks');
      const found = await writer.versioned(tenant_id, id);
      if (found === null) throw new Error('the endpoint is not stored');
      const by = { claim: randomUUID(), attempt: 1 };
      await commit([writer.replace(tenant_id, change(found.document), found.revision, by)]);
    },
    secretsOf: (endpoint: StoredEndpoint) => unsealSecrets(endpoint, KEY),
    challengeOf: (endpoint: StoredEndpoint) => unsealChallenge(endpoint, KEY),
    /** The entries in the stream of an endpoint, by sequence number. */
    entriesOf: async (id: string): Promise<StoredEntry[]> =>
      (await rowsOf('deliveries'))
        .filter(({ pk }) => pk?.S?.startsWith('entry#'))
        .map(({ document }) => StoredEntry.parse(JSON.parse(document?.S ?? '')))
        .filter(({ endpoint_id }) => endpoint_id === id)
        .toSorted((one, other) => one.sequence - other.sequence),
    raise: (events: readonly RaisedEvent[]) => commit(events.map(outbox('outbox').raise)),
    log: ({ tenant_id }: Tenant, attempts: readonly DeliveryAttempt[]) =>
      commit(attempts.map((attempt) => deliveryLog('deliveries').append(tenant_id, attempt))),
    auditOf: async ({ tenant_id }: Tenant): Promise<AuditEntry[]> =>
      (await rowsOf('audit'))
        .filter(({ pk }) => pk?.S?.startsWith(`${tenant_id}#`))
        .map(({ document }) => AuditEntry.parse(JSON.parse(document?.S ?? '')))
        .toSorted((one, other) => one.id.localeCompare(other.id)),
    /** The content of the tables as one text. */
    everything: async (): Promise<string> =>
      JSON.stringify(
        await Promise.all(
          (['webhooks', 'deliveries', 'idempotency', 'audit', 'outbox'] as const).map(rowsOf),
        ),
      ),
  };
};
export type WebhooksHarness = Awaited<ReturnType<typeof startWebhooksHarness>>;
