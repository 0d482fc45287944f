import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEndpoint } from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { verifyWebhookEvents } from '../../../sdk/typescript/webhooks/verify.ts';
import { storeKey } from './authorizing.ts';
import { SECRET } from './deliveryFixtures.ts';
import { type Posted, startDeliveryHarness } from './deliveryHarness.ts';
import { answered, unanswered } from './egressOutcomes.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const DISABLED = { status: 'disabled', disabled_at: '2026-11-21T09:00:00.000Z' } as const;

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

const someone = async (members: Partial<StoredEndpoint> = {}) => {
  const tenant = world.newTenant();
  const endpoint = await world.register(tenant, { max_batch_size: 100, ...members });
  const publish = async (count: number) => {
    const events = Array.from({ length: count }, () => world.event(tenant));
    await world.publishing.publishTo(endpoint, events, { kind: 'event' });
    return events;
  };
  return { tenant, endpoint, publish };
};
const sizesOf = (posted: readonly Posted[]) => posted.map(({ events }) => events.length);
const sequencesOf = (posted: readonly Posted[]) =>
  posted.flatMap(({ events }) => events.map(({ sequence }) => sequence));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('an endpoint with a batch size of 100', () => {
  it('receives events that are raised together in one signed request, sorted by sequence', async () => {
    const { tenant, endpoint, publish } = await someone();

    const events = await publish(30);
    await world.pass();

    const [only, ...others] = world.posted;
    expect(others).toEqual([]);
    const delivery = {
      body: only?.message.body ?? '',
      signature: only?.message.headers['Service-Signature'] ?? null,
    };
    expect(await verifyWebhookEvents(delivery, { secrets: SECRET, now: () => only?.at ?? 0 })).toEqual(
      events.map((event, index) => ({ ...event, sequence: index + 1 })),
    );
    const log = await world.log(tenant, endpoint);
    expect(log).toHaveLength(30);
    expect(log.every(({ outcome }) => outcome === 'acknowledged')).toBe(true);
    expect(new Set(log.map(({ request_id }) => request_id)).size).toBe(1);
    expect(log[0]?.request_id).toBeDefined();
  });

  it('receives a single event in the form of a list', async () => {
    const { publish } = await someone();

    await publish(1);
    await world.pass();

    const [only] = world.posted;
    expect(Object.keys(JSON.parse(Buffer.from(only?.message.body ?? '').toString()))).toEqual(['events']);
  });

  it('receives more than 100 events in several requests, each event once', async () => {
    const { publish } = await someone();

    await publish(250);
    await world.pass();

    expect(Math.max(...sizesOf(world.posted))).toBeLessThanOrEqual(100);
    expect(world.posted.length).toBeLessThanOrEqual(7);
    expect(sequencesOf(world.posted).toSorted((one, other) => one - other)).toEqual(upTo(250));
  });

  it('receives samples and replays in the same form, with their marks', async () => {
    const { tenant, endpoint } = await someone();
    const event = world.event(tenant);

    await world.publishing.publishTo(endpoint, [event], { kind: 'event', replay: 'R1' });
    await world.publishing.publishTo(endpoint, [world.event(tenant)], { kind: 'test' });
    await world.pass();

    expect(world.posted).toMatchObject([{ events: [{ id: event.id, replayed: true }, { test: true }] }]);
  });

  it('receives requests of at most 256 KiB, and a larger event alone', async () => {
    const { tenant, endpoint } = await someone();
    const sized = (bytes: number) => {
      const event = world.event(tenant);
      return { ...event, data: { ...event.data, name: 'x'.repeat(bytes) } };
    };
    const events = [sized(100_000), sized(100_000), sized(100_000), sized(262_000), sized(10)];

    await world.publishing.publishTo(endpoint, events, { kind: 'event' });
    await world.pass();

    expect(world.posted.map(({ events: sent }) => sent.map(({ sequence }) => sequence)).toSorted()).toEqual([
      [1, 2],
      [3],
      [4],
      [5],
    ]);
  });
});

it('sends at most as many events in a request as the endpoint allows', async () => {
  const { publish } = await someone({ max_batch_size: 7 });

  await publish(30);
  await world.pass();

  expect(sizesOf(world.posted).toSorted()).toEqual([2, 7, 7, 7, 7]);
});

it('follows a lower limit at the next request, with at most ten requests at once', async () => {
  const { tenant, endpoint, publish } = await someone();
  await publish(40);
  await world.replace(tenant, { ...endpoint, max_batch_size: 1 });
  let concurrent = 0;
  let most = 0;
  world.answerWith(async () => {
    concurrent += 1;
    most = Math.max(most, concurrent);
    await new Promise((resolve) => setImmediate(resolve));
    concurrent -= 1;
    return answered(200);
  });

  await world.pass();

  expect(sizesOf(world.posted)).toEqual(upTo(40).map(() => 1));
  expect(world.posted.every(({ message }) => !Buffer.from(message.body).includes('"events"'))).toBe(true);
  expect(sequencesOf(world.posted).toSorted((one, other) => one - other)).toEqual(upTo(40));
  expect(most).toBeLessThanOrEqual(10);
});

describe('a failed batch', () => {
  it.each<[string, EgressOutcome]>([
    ['500', answered(500)],
    ['429', answered(429)],
    ['a timeout', unanswered('timeout')],
  ])('is retried together after %s, with one random delay', async (_, outcome) => {
    const { tenant, endpoint, publish } = await someone();
    world.drawWith(Math.random);
    world.answerWith(() => (world.posted.length === 1 ? outcome : answered(200)));

    await publish(20);
    await world.pass();

    expect(sizesOf(world.posted)).toEqual([20, 20]);
    const log = await world.log(tenant, endpoint);
    const retried = log.filter((entry) => entry.outcome === 'retried');
    expect(new Set(retried.map(({ next_attempt_at }) => next_attempt_at)).size).toBe(1);
    expect((await world.endpoint(tenant, endpoint))?.state).toEqual({
      status: 'verified',
      failing_since: null,
    });
  });

  it('is retried one event at a time after a refusal, so that a bad event fails alone', async () => {
    const { tenant, endpoint, publish } = await someone();
    world.answerWith(({ events }) =>
      events.some(({ sequence }) => sequence === 5) ? answered(422) : answered(200),
    );

    const events = await publish(20);
    await world.pass();

    const [first, ...retries] = sizesOf(world.posted);
    expect([first, new Set(retries)]).toEqual([20, new Set([1])]);
    const log = await world.log(tenant, endpoint);
    const acknowledged = log.filter(({ outcome }) => outcome === 'acknowledged');
    const dead = log.filter(({ outcome }) => outcome === 'dead_lettered');
    expect(acknowledged).toHaveLength(19);
    expect(acknowledged.every(({ attempt }) => attempt === 2)).toBe(true);
    expect(dead.map(({ event_id }) => event_id)).toEqual([events[4]?.id]);
  });

  it('does not lose the other events to one that crashes the receiver', async () => {
    const { tenant, endpoint, publish } = await someone();
    const began = world.time.now;
    world.answerWith(({ events }) =>
      events.some(({ sequence }) => sequence === 5) ? answered(500) : answered(200),
    );

    await publish(10);
    await world.pass();

    const log = await world.log(tenant, endpoint);
    const acknowledged = log.filter(({ outcome }) => outcome === 'acknowledged');
    expect(acknowledged).toHaveLength(9);
    expect(log.filter(({ outcome }) => outcome === 'dead_lettered')).toHaveLength(1);
    expect(acknowledged.every(({ attempted_at }) => Date.parse(attempted_at) - began < DAY_MS / 2)).toBe(
      true,
    );
  });

  it('is sent as one request again after an outage of an hour', async () => {
    const { publish } = await someone();
    const end = world.time.now + 60 * 60 * 1_000;
    world.answerWith(({ at }) => (at < end ? answered(503) : answered(200)));

    await publish(20);
    await world.pass();

    expect(new Set(sizesOf(world.posted))).toEqual(new Set([20]));
  });

  it('is dead-lettered event by event after a day, and each event can be replayed', async () => {
    const { tenant, endpoint, publish } = await someone();
    world.answerWith(() => unanswered('timeout'));
    const events = await publish(5);
    await world.pass();
    const dead = (await world.log(tenant, endpoint)).filter(({ outcome }) => outcome === 'dead_lettered');
    world.reset();

    await world.publishing.publishTo(endpoint, events, { kind: 'event', replay: 'R1' });
    await world.pass();

    expect(new Set(dead.map(({ event_id }) => event_id))).toEqual(new Set(events.map(({ id }) => id)));
    expect(sequencesOf(world.posted)).toEqual([6, 7, 8, 9, 10]);
  });
});

describe('a batch leaves out', () => {
  it('an event that the authorization no longer covers', async () => {
    const tenant = world.newTenant();
    const endpoint = await world.register(tenant, { max_batch_size: 100, events: ['apikey.rotated'] });
    await storeKey(tenant, { scopes: ['webhooks:manage', 'admin:config'] });
    const events = Array.from({ length: 4 }, () => world.event(tenant));
    const foreign = { ...world.event(tenant), type: 'attribution.disputed' as const };

    await world.publishing.publishTo(endpoint, [...events.slice(0, 2), foreign, ...events.slice(2)], {
      kind: 'event',
    });
    await world.pass();

    expect(sequencesOf(world.posted)).toEqual([1, 2, 4, 5]);
    const log = await world.log(tenant, endpoint);
    expect(log.filter(({ failure }) => failure === 'unauthorized')).toMatchObject([
      { event_id: foreign.id, outcome: 'dead_lettered', response_status: null },
    ]);
  });

  it.each([
    ['an admin disabled before it was verified', { reason: 'admin', proven: false }],
    ['answered that it is gone', { reason: 'gone', proven: false }],
    ['had no success', { reason: 'no_success', proven: false }],
    ['lost its authorization', { reason: 'unauthorized', proven: true }],
  ] as const)('everything for an endpoint that %s, without a log entry', async (_, disabled) => {
    const { tenant, endpoint, publish } = await someone();
    await publish(12);
    await world.replace(tenant, { ...endpoint, state: { ...DISABLED, ...disabled } });

    await world.pass();

    expect([world.posted, await world.log(tenant, endpoint), world.waiting()]).toEqual([[], [], []]);
  });
});

it('an endpoint that an admin paused receives what was kept in batches when it is enabled again', async () => {
  const { tenant, endpoint, publish } = await someone();
  await publish(120);
  await world.replace(tenant, { ...endpoint, state: { ...DISABLED, reason: 'admin', proven: true } });
  await world.pass(HOUR_MS);
  const during = [world.posted.length, await world.log(tenant, endpoint)];
  await world.replace(tenant, endpoint);
  await world.pass(HOUR_MS);

  expect(during).toEqual([0, []]);
  expect(sequencesOf(world.posted).sort((one, other) => one - other)).toEqual(upTo(120));
  expect(sizesOf(world.posted).length).toBeLessThanOrEqual(4);
});
