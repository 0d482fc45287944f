import { afterAll, beforeEach, expect, it } from 'vitest';
import {
  requestedBy,
  toDeliveryMessage,
} from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { messageFor } from './deliveryFixtures.ts';
import { startDeliveryHarness } from './deliveryHarness.ts';
import { answered } from './egressOutcomes.ts';

const MINUTE_MS = 60_000;

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

const publishSix = async () => {
  const tenant = world.newTenant();
  const endpoint = await world.register(tenant, { max_batch_size: 100 });
  const events = Array.from({ length: 6 }, () => world.event(tenant));
  await world.publishing.publishTo(endpoint, events, { kind: 'event' });
  world.lose();
  const stream = { tenantId: tenant.tenant_id, endpointId: endpoint.id.slice(-26) };
  /** One message for these events, by their position. */
  const messageOf = (from: number, to: number, attempt = 0) => {
    const [first, ...others] = events
      .slice(from, to)
      .map(({ id }) => ({ dedup_key: id.slice(-26), attempt }));
    if (first === undefined) throw new Error('the message is empty');
    return toDeliveryMessage(stream, [first, ...others]);
  };
  return { tenant, endpoint, events, messageOf };
};
const sent = () => world.posted.map(({ events }) => events.map(({ sequence }) => sequence));

it('messages that are received together share a request, also those of versions without batches', async () => {
  const { endpoint, events, messageOf } = await publishSix();
  const [single] = events.slice(5).map((event) => messageFor(event, endpoint.id));
  if (single === undefined) throw new Error('the event is missing');

  await world.deliver([messageOf(3, 5), single, messageOf(0, 3), messageOf(2, 4)]);

  expect(sent()).toEqual([[1, 2, 3, 4, 5, 6]]);
});

it('a repeated message of a batch does nothing after the attempts were committed', async () => {
  const { tenant, endpoint, messageOf } = await publishSix();
  await world.deliver([messageOf(0, 2)]);

  await world.deliver([messageOf(0, 6)]);
  await world.deliver([messageOf(0, 6)]);

  expect(sent()).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ]);
  expect(await world.log(tenant, endpoint)).toHaveLength(6);
});

it('a message of a batch that comes early returns to the queue whole, until the batch is due', async () => {
  const { messageOf } = await publishSix();
  world.answerWith(() => answered(429, '60'));
  await world.deliver([messageOf(0, 6)]);
  world.answerWith(() => answered(200));
  world.lose();

  const [returned, ...others] = (await world.deliver([messageOf(0, 6, 1)])).early;

  expect(world.posted).toHaveLength(1);
  expect([returned && requestedBy(returned.message).length, others]).toEqual([6, []]);
  expect(returned?.wait).toBeGreaterThanOrEqual(MINUTE_MS);
  expect(world.waiting()).toEqual([]);
});

it('a message of a batch is deferred whole while another process holds the lease', async () => {
  const { messageOf } = await publishSix();
  let end: (outcome: EgressOutcome) => void = () => undefined;
  world.answerWith(
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  const hanging = world.deliver([messageOf(0, 1)]);
  await expect.poll(() => world.posted.length).toBe(1);

  await world.deliver([messageOf(1, 6)]);
  end(answered(200));
  await hanging;

  expect(world.waiting().map(({ message }) => [requestedBy(message).length, message.deferrals])).toEqual([
    [5, 1],
  ]);
});
