import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { backoffCap } from '../../../functions/delivery/webhooks/deliveries/retrySchedule.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { messageFor } from './deliveryFixtures.ts';
import { startDeliveryHarness } from './deliveryHarness.ts';
import { answered, unanswered } from './egressOutcomes.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('a failed delivery', () => {
  it('is retried with the same bytes and a new signature until it succeeds', async () => {
    const { tenant, endpoint } = await world.someone();
    world.answerWith(() => (world.posted.length < 4 ? answered(500) : answered(204)));

    await world.raise(world.event(tenant));
    await world.pass();

    const [first, ...others] = world.posted.map(({ message }) => Buffer.from(message.body).toString());
    expect(others).toEqual([first, first, first]);
    expect(new Set(world.posted.map(({ message }) => message.headers['Service-Signature'])).size).toBe(4);
    const log = await world.log(tenant, endpoint);
    expect(log.map(({ attempt, outcome, failure }) => [attempt, outcome, failure])).toEqual([
      [1, 'retried', 'status'],
      [2, 'retried', 'status'],
      [3, 'retried', 'status'],
      [4, 'acknowledged', null],
    ]);
    expect(log.slice(1).map(({ attempted_at }) => Date.parse(attempted_at))).toEqual(
      log
        .slice(0, -1)
        .map(({ next_attempt_at }) => Math.ceil(Date.parse(next_attempt_at ?? '') / 1_000) * 1_000),
    );
  });

  it('is dead-lettered after a day, with one log entry per call', async () => {
    const { tenant, endpoint } = await world.someone();
    world.answerWith(() => unanswered('timeout'));
    const began = world.time.now;

    await world.raise(world.event(tenant));
    await world.pass();

    const log = await world.log(tenant, endpoint);
    expect(log.at(-1)).toMatchObject({ outcome: 'dead_lettered', failure: 'timeout', response_status: null });
    expect(log.slice(0, -1).every(({ outcome }) => outcome === 'retried')).toBe(true);
    expect(log).toHaveLength(world.posted.length);
    expect((world.posted.at(-1)?.at ?? 0) - began).toBeGreaterThanOrEqual(DAY_MS);
    expect(world.waiting()).toEqual([]);
  });

  it('is retried on time when the delay exceeds the maximum of the queue', async () => {
    const { tenant } = await world.someone();
    world.answerWith(() => (world.posted.length === 1 ? answered(503, String(3 * 60 * 60)) : answered(200)));
    const began = world.time.now;

    await world.raise(world.event(tenant));
    await world.pass();

    const due = began + 3 * HOUR_MS + backoffCap(1) / 2;
    expect(world.posted.map(({ at }) => at - began)).toEqual([0, Math.ceil((due - began) / 1_000) * 1_000]);
  });

  it('is delayed in proportion to the random draw', async () => {
    const { tenant, endpoint } = await world.someone();
    const draws = Array.from({ length: 20 }, (_, index) => index / 20);
    const remaining = [...draws];
    world.drawWith(() => remaining.shift() ?? 0);
    world.answerWith(({ at }) => (at === began ? answered(500) : answered(200)));
    const began = world.time.now;
    const events = draws.map(() => world.event(tenant));
    await world.publishing.publishTo(endpoint, events, { kind: 'event' });

    for (const event of events) await world.deliver([messageFor(event, endpoint.id)]);

    const waits = (await world.log(tenant, endpoint))
      .map(({ next_attempt_at }) => Date.parse(next_attempt_at ?? '') - began)
      .sort((one, other) => one - other);
    expect(waits).toEqual(draws.map((draw) => Math.floor(draw * backoffCap(1))));
  });

  it.each<[string, EgressOutcome]>([
    ['refused_address', unanswered('refused_address')],
    ['refused_url', unanswered('refused_url')],
    ['too_large', unanswered('too_large')],
  ])('is dead-lettered at once for %s', async (failure, outcome) => {
    const { tenant, endpoint } = await world.someone();
    world.answerWith(() => outcome);

    await world.raise(world.event(tenant));
    await world.pass();

    expect(await world.log(tenant, endpoint)).toMatchObject([{ outcome: 'dead_lettered', failure }]);
  });
});

describe('a message for the second attempt', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('is processed when it comes %s a copy of the first message in the same batch', async (_, isLast) => {
    const { tenant, endpoint } = await world.someone();
    const event = world.event(tenant);
    await world.publishing.publishTo(endpoint, [event], { kind: 'event' });
    const first = messageFor(event, endpoint.id);
    world.answerWith(() => answered(500));
    await world.deliver([first]);
    world.answerWith(() => answered(200));
    world.time.now += HOUR_MS;
    const next = { ...first, attempt: 1 };

    await world.deliver(isLast ? [first, next] : [next, first]);

    expect(world.posted).toHaveLength(2);
    expect((await world.log(tenant, endpoint)).map(({ outcome }) => outcome).sort()).toEqual([
      'acknowledged',
      'retried',
    ]);
  });
});
