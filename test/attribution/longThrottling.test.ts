import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ledgerReader } from '../../functions/ledger/ledger.store.ts';
import { listRecords } from '../../functions/ledger/query/listRecords.ts';
import { failedMessages } from '../../functions/queue/failedMessages.store.ts';
import { RECEIVES_MAXIMUM } from '../../functions/queue/failure.ts';
import { itemQueueHandler } from '../../functions/queue/itemQueueHandler.ts';
import { setAsideExhausted } from '../../functions/queue/setAside.store.ts';
import { ThrottledError } from '../../functions/shared/retry/throttledError.ts';
import { type Fault, markedMinutes, recorderWithFault } from '../ledger/crashFixture.ts';
import { eventIdOf, newTenant } from '../ledger/ledgerFixture.ts';
import { simulatedQueue } from '../queue/simulatedQueue.ts';
import { type LiveTables, startTables } from '../support/tables.ts';
import { anEvent } from './events.ts';

const MARCH = Date.parse('2026-03-15T12:00:00Z');
const MINUTE = 60;
const THROTTLED_SECONDS = 15 * MINUTE;
/** Two attempts of ten seconds each, after which a call gives up. */
const REFUSED_SECONDS = 20;
/** The longest delay of a message that returns, and the invocation in which it was refused last. */
const DRAINED_WITHIN_SECONDS = 15 * MINUTE + REFUSED_SECONDS;
const SEND_EVERY_SECONDS = 60;
const SENDING_SECONDS = 20 * MINUTE;
const EVENTS_OF_MESSAGE = 2;

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => live.stop());

const receivedAt = (second: number): number => MARCH + second * 1_000;
const eventAt = (second: number, index: number) =>
  anEvent({ event_id: eventIdOf(index), occurred_at: new Date(receivedAt(second)).toISOString() });

const recordsOf = async (tenant: ReturnType<typeof newTenant>) => {
  const period = { from: 0, to: MARCH + SENDING_SECONDS * 1_000 };
  const from = { after: undefined, asOf: period.to, residency: null };
  const reader = ledgerReader('ledger', () => period.to);
  const page = await listRecords(reader, { tenant, period, descending: false, ...from, limit: 1_000 });
  return page.items.map(({ attribution }) => attribution.record.event_id);
};

it.each<[string, Fault['write']]>([
  ['the ledger', 'add'],
  ['the ledger, for a new month', 'openMonth'],
  ['the claims', 'claim'],
  ['the marks of the rollups', 'mark'],
])('a quarter of an hour without capacity of %s loses and repeats no event', async (_, write) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const tenant = newTenant();
  const queue = simulatedQueue();
  const error = new ThrottledError('no capacity');
  const recorders = {
    throttled: recorderWithFault({ write, moment: 'before', error }),
    healthy: recorderWithFault(),
  };
  let now = 0;
  const worker = itemQueueHandler({
    unpack: async ({ body }) => {
      const { second, indexes }: { second: number; indexes: number[] } = JSON.parse(body);
      return { items: indexes.map((index) => ({ second, index })), finish: () => undefined };
    },
    process: ({ second, index }) => {
      const recorder = now < THROTTLED_SECONDS ? recorders.throttled : recorders.healthy;
      return recorder(eventAt(second, index), { receivedAt: receivedAt(second), residency: null }, tenant);
    },
    complete: async () => undefined,
    setAside: setAsideExhausted('https://sqs.example/1/acceptedDeadLetter'),
    returnSoon: failedMessages(['https://sqs.example/1/accepted']),
    concurrency: 64,
    pause: async () => undefined,
  });

  let events = 0;
  for (; now < SENDING_SECONDS || queue.depth() > 0; now += 5) {
    if (now < SENDING_SECONDS && now % SEND_EVERY_SECONDS === 0) {
      // The producer repeats one event of the message before.
      const indexes = Array.from({ length: EVENTS_OF_MESSAGE }, (_, index) => events + index);
      queue.send(now, JSON.stringify({ second: now, indexes }));
      if (events > 0)
        queue.send(now, JSON.stringify({ second: now - SEND_EVERY_SECONDS, indexes: [events - 1] }));
      events += EVENTS_OF_MESSAGE;
    }
    await queue.receive(now, now < THROTTLED_SECONDS ? REFUSED_SECONDS : 0, (event) =>
      worker(event, { getRemainingTimeInMillis: () => 60_000 }),
    );
    expect(now).toBeLessThanOrEqual(THROTTLED_SECONDS + DRAINED_WITHIN_SECONDS);
  }

  expect(queue.deadLetters).toEqual([]);
  // Even a failure of another kind would not set a message aside now.
  expect(queue.receivesMaximum()).toBeLessThan(RECEIVES_MAXIMUM);
  expect((await recordsOf(tenant)).sort()).toEqual(
    Array.from({ length: events }, (_, index) => eventIdOf(index)),
  );
  for (let second = 0; second < SENDING_SECONDS; second += MINUTE) {
    expect(markedMinutes).toContain(`${tenant.tenant_id} ${Math.floor(receivedAt(second) / 60_000)}`);
  }
});
