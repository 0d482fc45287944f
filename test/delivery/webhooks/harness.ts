import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import createWebhook from '../../../functions/delivery/webhooks/createWebhook.ts';
import deleteWebhook from '../../../functions/delivery/webhooks/deleteWebhook.ts';
import {
  deliveryLog,
  deliveryLogReader,
} from '../../../functions/delivery/webhooks/deliveries/deliveryLog.store.ts';
import { challengeLimit } from '../../../functions/delivery/webhooks/endpoints/challengeLimit.ts';
import {
  endpointWriter,
  type StoredEndpoint,
} from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import { unsealChallenge, unsealSecrets } from '../../../functions/delivery/webhooks/endpoints/seal.ts';
import getWebhook from '../../../functions/delivery/webhooks/getWebhook.ts';
import listWebhookDeliveries from '../../../functions/delivery/webhooks/listWebhookDeliveries.ts';
import listWebhookEvents from '../../../functions/delivery/webhooks/listWebhookEvents.ts';
import listWebhooks from '../../../functions/delivery/webhooks/listWebhooks.ts';
import replayToWebhook from '../../../functions/delivery/webhooks/replayToWebhook.ts';
import rotateWebhookSecret from '../../../functions/delivery/webhooks/rotateWebhookSecret.ts';
import { publisher } from '../../../functions/delivery/webhooks/streams/publish.ts';
import { replayReader } from '../../../functions/delivery/webhooks/streams/replay.ts';
import { StoredEntry, streamStore } from '../../../functions/delivery/webhooks/streams/stream.store.ts';
import testWebhook from '../../../functions/delivery/webhooks/testWebhook.ts';
import updateWebhook from '../../../functions/delivery/webhooks/updateWebhook.ts';
import verifyWebhook from '../../../functions/delivery/webhooks/verifyWebhook.ts';
import { credentialReader } from '../../../functions/identity/access/credential.store.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { raisedVersions } from '../../../functions/ledger/records/raisedVersions.store.ts';
import { egress } from '../../../functions/platform/egress/egress.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { bucketStore } from '../../../functions/platform/limits/bucket.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { raisedEventReader } from '../../../functions/platform/outbox/raisedEvents.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/access/scopes.ts';
import type { RaisedEvent } from '../../../schemas/events.ts';
import type { TableName } from '../../../schemas/platform/tables.ts';
import { type DeliveryAttempt, WEBHOOK_PORTS } from '../../../schemas/webhooks.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { startTables } from '../../support/tables.ts';
import { ALL_SCOPES } from './authorizing.ts';

const KEY = new Uint8Array(32).fill(7);
const PUBLIC_ADDRESS = '93.184.215.14';

const operationsOf = (time: { now: number }, names: Map<string, readonly string[]>) => {
  const { vet } = egress({
    policy: { ports: WEBHOOK_PORTS, allowHosts: [] },
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
    chargeChallenge: challengeLimit(bucketStore('limits'), { clock: () => time.now }),
    publisher: publisher({
      streams: streamStore('deliveries'),
      clock: () => time.now,
      newClaim: randomUUID,
    }),
    deliveryLog: deliveryLogReader('deliveries'),
    raised: replayReader(raisedEventReader('outbox'), raisedVersions('outbox', 'ledger')),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    create: createWebhook(stores),
    list: listWebhooks(stores),
    get: getWebhook(stores),
    update: updateWebhook(stores),
    remove: deleteWebhook(stores),
    verify: verifyWebhook(stores),
    rotate: rotateWebhookSecret(stores),
    test: testWebhook(stores),
    replay: replayToWebhook(stores),
    deliveries: listWebhookDeliveries(stores),
    events: listWebhookEvents(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof ReturnType<typeof operationsOf>;

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
  const operations = operationsOf(time, names);
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
      (await endpointWriter('webhooks').head(tenant_id)).count,
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
    auditOf: live.auditOf,
    /** The content of the tables as one text. */
    everything: () => live.everything('webhooks', 'deliveries', 'idempotency', 'audit', 'outbox'),
  };
};
export type WebhooksHarness = Awaited<ReturnType<typeof startWebhooksHarness>>;
