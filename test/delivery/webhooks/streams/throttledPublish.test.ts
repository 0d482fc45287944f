import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { publisher } from '../../../../functions/delivery/webhooks/streams/publish.ts';
import { streamStore } from '../../../../functions/delivery/webhooks/streams/stream.store.ts';
import type { AwsRequest } from '../../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { isThrottle } from '../../../../functions/platform/shared/aws/calls/throttling.ts';
import { withinInvocation } from '../../../../functions/platform/shared/time/invocationTime.ts';
import { cancellationAnswer, throttle } from '../../../../local/limits/tableErrors.ts';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { startTables } from '../../../support/tables.ts';

/** An attempt of a transaction per commit: less time is left than is kept free to report the failure. */
const TIME_LEFT = { getRemainingTimeInMillis: () => 1_900 };
const NO_CAPACITY = throttle('write', 'KeyRangeThroughputExceeded', 'deliveries');

const live = await startTables();
afterAll(() => live.stop());

/** Throttles the transactions with more items than this. Returns the sizes of all transactions. */
const throttleAbove = (limit: () => number): number[] => {
  const sizes: number[] = [];
  const listen = (message: unknown): void => {
    const request = message as AwsRequest;
    if (request.operation !== 'TransactWriteItems') return;
    const { TransactItems = [] } = request.input as { readonly TransactItems?: readonly unknown[] };
    sizes.push(TransactItems.length);
    request.answer = () =>
      TransactItems.length > limit() ? cancellationAnswer(TransactItems.map(() => NO_CAPACITY)) : undefined;
  };
  subscribe('aws.request', listen);
  onTestFinished(() => {
    unsubscribe('aws.request', listen);
  });
  return sizes;
};

const eventsOf = (tenant_id: string): RaisedEvent[] =>
  Array.from({ length: 5 }, (_, index) => ({
    id: `evt_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C${String(index).padStart(3, '0')}`,
    type: 'apikey.rotated',
    created_at: '2026-11-21T10:00:00.000Z',
    tenant_id,
    data: {},
  }));

const { publishTo } = publisher({
  streams: streamStore('deliveries'),
  queue: { send: async () => undefined },
  clock: () => 0,
  newClaim: crypto.randomUUID.bind(crypto),
});
const publish = async (events: readonly RaisedEvent[]) => {
  const entries = await withinInvocation(TIME_LEFT, () =>
    publishTo({ id: 'whe_one', max_batch_size: 1 }, events, { kind: 'event' }),
  );
  return entries.map(({ eventId, sequence }) => [eventId, sequence]);
};

it('appends events in smaller transactions, in order, while the table accepts no large ones', async () => {
  const events = eventsOf('halved');
  const sizes = throttleAbove(() => 5);

  const entries = await publish(events);

  expect(entries).toEqual(events.map(({ id }, index) => [id, index + 1]));
  expect(sizes).toEqual([11, 7, 5, 3, 5]);
});

it('keeps the events that were appended before the table accepted nothing, and continues after them', async () => {
  const events = eventsOf('continued');
  let limit = 5;
  const sizes = throttleAbove(() => (sizes.length > 3 ? limit : 5));
  limit = 0;

  await expect(publish(events)).rejects.toSatisfy(isThrottle);
  limit = 100;

  expect(await publish(events)).toEqual(events.map(({ id }, index) => [id, index + 1]));
  expect(sizes.at(-1)).toBe(7);
});
