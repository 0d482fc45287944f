import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createEvent } from '../../functions/platform/outbox/createEvent.ts';
import { outboxKey } from '../../functions/platform/outbox/outbox.store.ts';
import { tagInId } from '../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../functions/platform/shared/ulid.ts';
import type { RaisedEvent } from '../../schemas/delivery/events.ts';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import { request } from '../support/traffic.ts';
import type { Receiver } from './webhookReceiver.ts';

/** Maximum items of one BatchWriteItem request. */
const WRITE_BATCH_SIZE = 25;
const POLL_INTERVAL_MS = 20;

/** A webhook endpoint of a benchmark. */
export interface Endpoint {
  readonly id: string;
  readonly tenant: { readonly tenant_id: string; readonly tag: string };
  readonly path: string;
}

/** Creates an endpoint at a path of the receiver, which answers its challenge. */
export const register = async (
  { runtime }: MeasuredService,
  receiver: Receiver,
  tenant: MeasuredService['sender'],
  path: string,
): Promise<Endpoint> => {
  const body = { url: receiver.urlOf(path), events: ['apikey.rotated'] };
  const { text } = await request(`${runtime.baseUrl}/api/v1/webhooks`, tenant.api_keys.admin, body, [201]);
  await runtime.idle();
  const { id } = JSON.parse(text);
  return { id, tenant: { tenant_id: tenant.tenant_id, tag: tagInId(id) }, path };
};

/** Changes the most events of a request to an endpoint of the sender. */
export const setBatchSize = async (
  { runtime, sender }: MeasuredService,
  { id }: Endpoint,
  max_batch_size: number,
): Promise<void> => {
  const { ok, status } = await fetch(`${runtime.baseUrl}/api/v1/webhooks/${id}`, {
    method: 'PATCH',
    headers: {
      'x-api-key': sender.api_keys.admin,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ max_batch_size }),
  });
  if (!ok) throw new Error(`unexpected status ${status}`);
};

/** A new event for the tenant of an endpoint. */
export const eventOf = ({ tenant }: Endpoint): RaisedEvent => {
  const at = Date.now();
  const data = {
    api_key_id: 'key_1',
    name: 'Gateway',
    rotated_at: new Date(at).toISOString(),
    previous_secret_valid_until: null,
  };
  return createEvent('apikey.rotated', data, { ulid: ulidOf(at, randomBytes(10)), at, tenant });
};

/** Writes events to the outbox directly, without the changes that normally cause them. */
export const outboxWriter = ({ runtime }: MeasuredService) => {
  const client = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  return async (events: readonly RaisedEvent[]): Promise<void> => {
    for (let at = 0; at < events.length; at += WRITE_BATCH_SIZE) {
      const puts = events.slice(at, at + WRITE_BATCH_SIZE).map((event) => {
        const { pk, sk } = outboxKey(event.tenant_id, event.id);
        return {
          PutRequest: { Item: { pk: { S: pk }, sk: { S: sk }, document: { S: JSON.stringify(event) } } },
        };
      });
      await client.send(
        new BatchWriteItemCommand({ RequestItems: { [runtime.outputs['TableOutbox'] ?? '']: puts } }),
      );
    }
  };
};
export type WriteEvents = ReturnType<typeof outboxWriter>;

/** Waits until the receiver has got every event. */
export const waitForArrival = async (
  { arrived }: Receiver,
  events: readonly RaisedEvent[],
): Promise<void> => {
  while (!events.every(({ id }) => arrived.has(id))) await sleep(POLL_INTERVAL_MS);
};
