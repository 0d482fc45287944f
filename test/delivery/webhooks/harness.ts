import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import createWebhook from '../../../functions/delivery/webhooks/createWebhook.ts';
import deleteWebhook from '../../../functions/delivery/webhooks/deleteWebhook.ts';
import { deliveryLog } from '../../../functions/delivery/webhooks/deliveries/deliveryLog.store.ts';
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
import { StoredEntry, streamStore } from '../../../functions/delivery/webhooks/streams/stream.store.ts';
import testWebhook from '../../../functions/delivery/webhooks/testWebhook.ts';
import updateWebhook from '../../../functions/delivery/webhooks/updateWebhook.ts';
import verifyWebhook from '../../../functions/delivery/webhooks/verifyWebhook.ts';
import {
  deliveriesRead,
  outboxReplay,
  webhooksRead,
  webhooksWrite,
} from '../../../functions/entries/stores/delivery.ts';
import { accessRead } from '../../../functions/entries/stores/identity.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import { egress } from '../../../functions/platform/egress/egress.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { type DeliveryAttempt, WEBHOOK_PORTS } from '../../../schemas/delivery/webhooks.ts';
import type { TableName } from '../../../schemas/platform/tables.ts';
import { startOperations } from '../../platform/http/startOperations.ts';
import { ALL_SCOPES } from './authorizing.ts';

const KEY = new Uint8Array(32).fill(7);
const PUBLIC_ADDRESS = '93.184.215.14';

const storesOf = (environment: Environment, names: ReadonlyMap<string, readonly string[]>) => {
  const { vet } = egress({
    policy: { ports: WEBHOOK_PORTS, allowHosts: [] },
    resolver: async (host) => {
      const addresses = names.get(host);
      if (addresses === undefined) throw new Error('ENOTFOUND');
      return addresses;
    },
    now: environment.clock,
  });
  return {
    ...storesIn(environment, { accessRead, deliveriesRead, outboxReplay, webhooksRead, webhooksWrite }),
    endpointKey: async () => KEY,
    vet,
    publisher: publisher({
      streams: streamStore('deliveries'),
      queue: { send: async () => undefined },
      clock: environment.clock,
      newClaim: randomUUID,
    }),
  };
};

const operations = {
  create: createWebhook,
  list: listWebhooks,
  get: getWebhook,
  update: updateWebhook,
  remove: deleteWebhook,
  verify: verifyWebhook,
  rotate: rotateWebhookSecret,
  test: testWebhook,
  replay: replayToWebhook,
  deliveries: listWebhookDeliveries,
  events: listWebhookEvents,
};
export type OperationName = keyof typeof operations;

export interface OperationRequest {
  readonly tenant: Tenant;
  readonly id?: string;
  readonly body?: object;
  readonly query?: Record<string, string>;
  readonly key?: string;
  readonly residency?: string;
  readonly principal?: string;
}

/** The webhook operations, with a simulated DNS. */
export const startWebhooksHarness = async () => {
  /** The addresses of host names. Other names do not resolve. */
  const names = new Map<string, readonly string[]>([
    ['hooks.example.com', [PUBLIC_ADDRESS]],
    ['other.example.com', [PUBLIC_ADDRESS]],
  ]);
  const world = await startOperations(
    operations,
    (environment: Environment) => storesOf(environment, names),
    {
      now: Date.parse('2026-05-20T12:00:00Z'),
      allScopes: ALL_SCOPES,
    },
  );
  const rowsOf = async (table: TableName) =>
    (await world.live.client.send(new ScanCommand({ TableName: table, ConsistentRead: true }))).Items ?? [];

  return {
    ...world,
    names,
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
    /** The content of the tables as one text. */
    everything: () => world.live.everything('webhooks', 'deliveries', 'idempotency', 'audit', 'outbox'),
  };
};
export type WebhooksHarness = Awaited<ReturnType<typeof startWebhooksHarness>>;
