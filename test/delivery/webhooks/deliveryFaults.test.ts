import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { StoredEndpoint } from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import { mulberry32 } from '../../../functions/platform/shared/mulberry32.ts';
import { HOUR_MS } from '../../../schemas/durations.ts';
import type { Fault } from '../../identity/credentials/faultInjection.ts';
import { runs } from '../../support/properties.ts';
import { type DeliveryHarness, startDeliveryHarness } from './deliveryHarness.ts';
import { answered, unanswered } from './egressOutcomes.ts';

// Hundreds of deliveries on a real engine.
const world = await startDeliveryHarness();
afterAll(() => world.stop());
afterEach(() => {
  world.injectFailures();
  world.drawWith(Math.random);
});

const pick = <One>(draw: () => number, from: readonly [One, ...One[]]): One =>
  from[Math.floor(draw() * from.length)] ?? from[0];

/**
 * Maximum number of faults in a run. Each hop of a waiting message through the queue may copy it, so faults without a
 * maximum would multiply the copies exponentially.
 */
const FAULTS_MAXIMUM = 100;

const gapFree = (length: number) => Array.from({ length }, (_, index) => index + 1);

type OwnedEndpoint = {
  readonly tenant: ReturnType<DeliveryHarness['newTenant']>;
  readonly endpoint: StoredEndpoint;
};

/** Expects a final log entry for every event, gapless sequence numbers, and no call after the final one. */
const expectComplete = async (
  { tenant, endpoint }: OwnedEndpoint,
  eventIds: readonly string[],
): Promise<void> => {
  const log = await world.log(tenant, endpoint);
  const ended = log.filter(({ outcome }) => outcome !== 'retried');
  const posts = world.posted
    .filter(({ url }) => url === endpoint.url)
    .flatMap(({ events, at }) => events.map((event) => ({ event, at })));
  const sequences = new Map(posts.map(({ event }) => [event.id, event.sequence]));

  expect(new Set(ended.map(({ event_id }) => event_id))).toEqual(new Set(eventIds));
  expect([...sequences.values()].sort((one, other) => one - other)).toEqual(gapFree(eventIds.length));
  expect(posts.every(({ event }) => event.sequence === sequences.get(event.id))).toBe(true);
  for (const { event_id, attempted_at } of ended) {
    const last = posts.findLast(({ event }) => event.id === event_id);
    expect(new Date(last?.at ?? 0).toISOString()).toBe(attempted_at);
  }
  // A call without a log entry is one whose process crashed before the commit.
  expect(log.length).toBeLessThanOrEqual(posts.length);
};

it('delivers or dead-letters every event under random faults of tables and queues', async () => {
  const seeds = fc.integer({ min: 0, max: 2 ** 31 });

  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const draw = mulberry32(seed);
      let faultsLeft = FAULTS_MAXIMUM;
      const occurs = (probability: number): boolean => {
        if (faultsLeft === 0 || draw() >= probability) return false;
        faultsLeft -= 1;
        return true;
      };
      const tenant = world.newTenant();
      const endpoints = [await world.register(tenant), await world.register(tenant, { max_batch_size: 4 })];
      const events = Array.from({ length: 6 }, () => world.event(tenant));
      world.answerWith(() =>
        pick(draw, [
          answered(200),
          answered(204),
          answered(500),
          answered(429, '60'),
          answered(422),
          unanswered('timeout'),
        ]),
      );
      world.drawWith(draw);
      for (const event of events) await world.raise(event);
      world.injectFailures({
        fails: () => occurs(0.1),
        doubled: () => occurs(0.2),
        beforeStep: () => {
          if (!occurs(0.25)) return;
          void world.faults.arm({
            write: Math.floor(draw() * 4),
            moment: pick(draw, ['before', 'after']),
            kind: pick(draw, ['fails', 'dies', 'repeats']),
          });
        },
      });

      await world.pass();
      world.injectFailures();
      world.redrive();
      await world.pass();

      for (const endpoint of endpoints) {
        await expectComplete(
          { tenant, endpoint },
          events.map(({ id }) => id),
        );
      }
    }),
    { numRuns: runs(6) },
  );
});

const faultList = ([0, 1, 2, 3, 4] as const).flatMap((write) =>
  (['before', 'after'] as const).flatMap((moment) =>
    (['fails', 'dies', 'repeats'] as const).map((kind): Fault => ({ write, moment, kind })),
  ),
);

describe.each([
  ['one event', 1, 1],
  ['a batch of three events', 3, 100],
])('%s', (_, count, max_batch_size) => {
  const start = async () => {
    const tenant = world.newTenant();
    const endpoint = await world.register(tenant, { max_batch_size });
    const events = Array.from({ length: count }, () => world.event(tenant));
    const expectDelivered = () =>
      expectComplete(
        { tenant, endpoint },
        events.map(({ id }) => id),
      );
    return { endpoint, events, expectDelivered };
  };

  it.each(faultList)('is delivered when write $write $kind $moment it takes effect', async (fault) => {
    const { events, expectDelivered } = await start();
    world.answerWith(() => answered(200));
    await world.raise(...events);
    void world.faults.arm(fault);

    await world.pass();

    await expectDelivered();
  });

  it.each([1, 2, 3, 4, 5])('is delivered when step %d of the queue fails', async (step) => {
    const { events, expectDelivered } = await start();
    let steps = 0;
    world.answerWith(({ event: sent }) => answered(sent.sequence > 0 && steps < 3 ? 500 : 200));
    await world.raise(...events);
    world.injectFailures({
      fails: () => {
        steps += 1;
        return steps === step;
      },
    });

    await world.pass();

    await expectDelivered();
  });

  it('is delivered once by a redrive when its message failed for more than an hour', async () => {
    const { endpoint, events, expectDelivered } = await start();
    world.answerWith(() => answered(200));
    await world.raise(...events);
    await world.relayStep();
    world.injectFailures({
      beforeStep: () => void world.faults.arm({ write: 0, moment: 'before', kind: 'fails' }),
    });
    await world.pass(2 * HOUR_MS);
    const postedInOutage = world.posted.filter(({ url }) => url === endpoint.url);
    const waitingInOutage = world.waiting();
    world.injectFailures();

    world.redrive();
    await world.pass();

    expect([postedInOutage, waitingInOutage]).toEqual([[], []]);
    expect(world.posted.filter(({ url }) => url === endpoint.url)).toHaveLength(1);
    await expectDelivered();
  });
});

it('assigns gapless sequence numbers when twenty concurrent producers publish each event twice', async () => {
  const tenant = world.newTenant();
  const endpoint = await world.register(tenant);
  const events = Array.from({ length: 20 }, () => world.event(tenant));

  const entries = await Promise.all(
    [...events, ...events].map((event) => world.publishing.publishTo(endpoint, [event], { kind: 'event' })),
  );

  const sequences = new Map(entries.flat().map(({ eventId, sequence }) => [eventId, sequence]));
  expect([...sequences.values()].sort((one, other) => one - other)).toEqual(gapFree(20));
  expect(entries.flat().every(({ eventId, sequence }) => sequences.get(eventId) === sequence)).toBe(true);
});
