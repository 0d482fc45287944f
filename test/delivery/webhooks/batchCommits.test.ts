import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { toDeliveryMessage } from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { withinInvocation } from '../../../functions/platform/shared/time/invocationTime.ts';
import { cancellationAnswer, throttle } from '../../../local/limits/tableErrors.ts';
import { startDeliveryHarness } from './deliveryHarness.ts';
import { answered } from './egressOutcomes.ts';

/** An attempt of a transaction per commit: less time is left than is kept free to report the failure. */
const TIME_LEFT = { getRemainingTimeInMillis: () => 1_900 };
const NO_CAPACITY = throttle('write', 'KeyRangeThroughputExceeded', 'deliveries');

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

/** Throttles the transactions with more items than this. Returns the sizes of all transactions. */
const throttleAbove = (limit: number): number[] => {
  const sizes: number[] = [];
  const listen = (message: unknown): void => {
    const request = message as AwsRequest;
    if (request.operation !== 'TransactWriteItems') return;
    const { TransactItems = [] } = request.input as { readonly TransactItems?: readonly unknown[] };
    sizes.push(TransactItems.length);
    request.answer = () =>
      TransactItems.length > limit ? cancellationAnswer(TransactItems.map(() => NO_CAPACITY)) : undefined;
  };
  subscribe('aws.request', listen);
  onTestFinished(() => {
    unsubscribe('aws.request', listen);
  });
  return sizes;
};

/** Delivers with too little time to repeat a throttled transaction. */
const deliverInHaste = (message: Parameters<typeof world.deliver>[0][number]) =>
  withinInvocation(TIME_LEFT, () => world.deliver([message]));

const publishBatch = async (count: number) => {
  const tenant = world.newTenant();
  const endpoint = await world.register(tenant, { max_batch_size: 100 });
  const events = Array.from({ length: count }, () => world.event(tenant));
  await world.publishing.publishTo(endpoint, events, { kind: 'event' });
  const [first, ...others] = events.map(({ id }) => ({ dedup_key: id.slice(-26), attempt: 0 }));
  if (first === undefined) throw new Error('the batch is empty');
  const stream = { tenantId: tenant.tenant_id, endpointId: endpoint.id.slice(-26) };
  return { tenant, endpoint, message: toDeliveryMessage(stream, [first, ...others]) };
};

it('commits a batch of 100 attempts in three transactions, with one change of the endpoint', async () => {
  const { tenant, endpoint, message } = await publishBatch(100);
  const sizes = throttleAbove(100);
  world.answerWith(() => answered(500));

  await deliverInHaste(message);

  expect([world.posted.length, sizes]).toEqual([1, [99, 98, 4]]);
  expect((await world.endpoint(tenant, endpoint))?.state).toMatchObject({
    failing_since: expect.any(String),
  });
});

it('commits smaller transactions while the table accepts no large ones', async () => {
  const { tenant, endpoint, message } = await publishBatch(20);
  const sizes = throttleAbove(12);

  await deliverInHaste(message);

  expect(sizes).toEqual([40, 20, 10, 10, 20, 10, 10]);
  expect(await world.log(tenant, endpoint)).toHaveLength(20);
});

it('calls the receiver again for exactly the attempts whose commit failed', async () => {
  const { tenant, endpoint, message } = await publishBatch(60);
  void world.faults.arm({ write: 2, moment: 'before', kind: 'dies' });

  const { failed } = await world.deliver([message]);
  world.faults.restart();
  world.time.now += 15_000;
  const committed = (await world.log(tenant, endpoint)).map(({ sequence }) => sequence);
  await world.deliver([message]);

  const [, again] = world.posted;
  expect(failed).toMatchObject([{ message }]);
  expect(committed).toHaveLength(49);
  expect(again?.events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1).filter((sequence) => !committed.includes(sequence)),
  );
  expect(await world.log(tenant, endpoint)).toHaveLength(60);
});

it('drops the deliveries of an endpoint that lost its authorization in one transaction', async () => {
  const { tenant, endpoint, message } = await publishBatch(100);
  await world.replace(tenant, {
    ...endpoint,
    state: {
      status: 'disabled',
      reason: 'unauthorized',
      disabled_at: '2026-11-21T09:00:00.000Z',
      proven: true,
    },
  });
  const sizes = throttleAbove(100);

  await deliverInHaste(message);

  expect([sizes, world.posted]).toEqual([[100], []]);
});
