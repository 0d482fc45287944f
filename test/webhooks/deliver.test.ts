import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome } from '../../functions/egress/outcome.ts';
import { newChallenge } from '../../functions/webhooks/challenge.ts';
import type { StoredEndpoint } from '../../functions/webhooks/endpoint.store.ts';
import { ceilingOf } from '../../functions/webhooks/schedule.ts';
import { sealChallenge, sealSecrets } from '../../functions/webhooks/seal.ts';
import { rotateSigningSecret } from '../../functions/webhooks/signature.ts';
import type { RaisedEvent } from '../../schemas/events.ts';
import { verifySignature } from '../../sdk/typescript/webhooks/verify.ts';
import { LOOPBACK, RECEIVER, receiver, wayOut } from '../egress/receiver.ts';
import { altered } from '../support/altered.ts';
import { batchesOf, type Delivering, KEY, type Posted, SECRET, startDelivering } from './delivering.ts';
import { answered, unanswered } from './outcomes.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let world: Delivering;
beforeAll(async () => {
  world = await startDelivering();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.answerWith(() => answered(200));
  world.drawWith(() => 0.5);
  world.posted.length = 0;
  world.waiting.length = 0;
});

const someone = async () => {
  const tenant = world.newTenant();
  return { tenant, endpoint: await world.register(tenant) };
};
const idsOf = (posted: readonly Posted[]) => posted.map(({ event }) => event.id);
const messageFor = (event: { readonly id: string; readonly tenant_id: string }, endpointId: string) => ({
  tenant_id: event.tenant_id,
  endpoint: endpointId.slice(-26),
  cause: event.id.slice(-26),
  attempt: 0,
  turned_away: 0,
});

describe('an event that was raised', () => {
  it('is delivered to every verified endpoint that subscribes to it, and told of in its log', async () => {
    const { tenant, endpoint } = await someone();
    await world.register(tenant, { events: ['budget.threshold.crossed'] });
    const event = world.event(tenant);

    await world.raise(event);
    await world.settle();

    expect(world.posted.map(({ url, event: sent }) => [url, sent])).toEqual([
      [endpoint.url, { ...event, sequence: 1 }],
    ]);
    expect(await world.log(tenant, endpoint)).toEqual([
      {
        id: expect.stringMatching(`^dlv_${tenant.tag}`),
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: 'apikey.rotated',
        sequence: 1,
        attempt: 1,
        attempted_at: new Date(world.time.now).toISOString(),
        latency_ms: 5,
        response_status: 200,
        outcome: 'acknowledged',
        failure: null,
        next_attempt_at: null,
        test: false,
        replayed: false,
        retained_until: new Date(world.time.now + 30 * DAY).toISOString(),
      },
    ]);
  });

  it('arrives over TLS byte for byte as it is signed', async () => {
    const there = await receiver();
    const { tenant } = await someone();
    const endpoint = await world.register(tenant, { url: `https://${RECEIVER}:${there.port}/` });
    const event = world.event(tenant);
    await world.publishing.enter(endpoint, [event], { kind: 'event' });

    await world.delivererOf(wayOut([there.port]))([messageFor(event, endpoint.id)]);

    const [{ headers, body }] = there.requests as [(typeof there.requests)[number]];
    expect(headers).toMatchObject({ 'content-type': 'application/json', host: `${RECEIVER}:${there.port}` });
    await verifySignature(
      { body, signature: String(headers['service-signature']) },
      { secrets: SECRET, now: () => world.time.now },
    );
    expect(body.toString()).toContain('Zoë’s gateway 🌱');
    expect(there.servernames).toEqual([RECEIVER]);
    expect(LOOPBACK).toBe('127.0.0.1');
  });

  it.each([
    ['pending', { status: 'pending', challenge: newChallenge(randomBytes, 0).open }],
    ['disabled', { status: 'disabled', reason: 'admin', disabled_at: '2026-11-01T00:00:00Z', proven: true }],
  ] as const)('does not go to an endpoint that is %s', async (_, standing) => {
    const tenant = world.newTenant();
    await world.register(tenant, { standing });

    await world.raise(world.event(tenant));
    await world.pass();

    expect(world.posted).toEqual([]);
  });
});

describe('a delivery that is acknowledged', () => {
  it('is never made again, whatever the queue hands out', async () => {
    const { tenant, endpoint } = await someone();
    const event = world.event(tenant);
    await world.raise(event);
    await world.settle();

    await Promise.all([0, 1, 2].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
  });

  it('is made once where its message was handed out twice at once', async () => {
    const { tenant, endpoint } = await someone();
    const event = world.event(tenant);
    await world.publishing.enter(endpoint, [event], { kind: 'event' });

    await Promise.all([1, 2, 3].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
    expect(await world.log(tenant, endpoint)).toHaveLength(1);
  });
});

describe('a delivery that failed', () => {
  it('is made again, newly signed, with the same bytes, until it succeeds', async () => {
    const { tenant, endpoint } = await someone();
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

  it('goes to the dead letters after a day, with as many log entries as calls', async () => {
    const { tenant, endpoint } = await someone();
    world.answerWith(() => unanswered('timeout'));
    const began = world.time.now;

    await world.raise(world.event(tenant));
    await world.pass();

    const log = await world.log(tenant, endpoint);
    expect(log.at(-1)).toMatchObject({ outcome: 'dead_lettered', failure: 'timeout', response_status: null });
    expect(log.slice(0, -1).every(({ outcome }) => outcome === 'retried')).toBe(true);
    expect(log).toHaveLength(world.posted.length);
    expect((world.posted.at(-1)?.at ?? 0) - began).toBeGreaterThanOrEqual(DAY);
    expect(world.waiting).toEqual([]);
  });

  it('waits longer than a queue can, and is neither early nor lost', async () => {
    const { tenant } = await someone();
    world.answerWith(() => (world.posted.length === 1 ? answered(503, String(3 * 60 * 60)) : answered(200)));
    const began = world.time.now;

    await world.raise(world.event(tenant));
    await world.pass();

    const due = began + 3 * HOUR + ceilingOf(1) / 2;
    expect(world.posted.map(({ at }) => at - began)).toEqual([0, Math.ceil((due - began) / 1_000) * 1_000]);
  });

  it('waits as the draw says, uniformly', async () => {
    const { tenant, endpoint } = await someone();
    const draws = Array.from({ length: 20 }, (_, index) => index / 20);
    const left = [...draws];
    world.drawWith(() => left.shift() ?? 0);
    world.answerWith(({ at }) => (at === began ? answered(500) : answered(200)));
    const began = world.time.now;
    const events = draws.map(() => world.event(tenant));
    await world.publishing.enter(endpoint, events, { kind: 'event' });

    for (const event of events) await world.deliver([messageFor(event, endpoint.id)]);

    const waits = (await world.log(tenant, endpoint))
      .map(({ next_attempt_at }) => Date.parse(next_attempt_at ?? '') - began)
      .sort((one, other) => one - other);
    expect(waits).toEqual(draws.map((draw) => Math.floor(draw * ceilingOf(1))));
  });

  it.each<[string, Outcome]>([
    ['refused_address', unanswered('refused_address')],
    ['refused_url', unanswered('refused_url')],
    ['too_large', unanswered('too_large')],
  ])('goes to the dead letters at once for %s', async (failure, outcome) => {
    const { tenant, endpoint } = await someone();
    world.answerWith(() => outcome);

    await world.raise(world.event(tenant));
    await world.pass();

    expect(await world.log(tenant, endpoint)).toMatchObject([{ outcome: 'dead_lettered', failure }]);
  });
});

describe('an endpoint', () => {
  it('that is gone (410) is disabled, sent nothing more, and told of to the others', async () => {
    const { tenant, endpoint } = await someone();
    const other = await world.register(tenant);
    world.answerWith(({ url }) => answered(url === endpoint.url ? 410 : 200));

    await world.raise(world.event(tenant));
    await world.pass();
    await world.raise(world.event(tenant));
    await world.pass();

    expect((await world.endpoint(tenant, endpoint))?.standing).toMatchObject({
      status: 'disabled',
      reason: 'gone',
    });
    expect(world.posted.filter(({ url }) => url === endpoint.url)).toHaveLength(1);
    const told = world.posted.filter(({ event }) => event.type === 'webhook.disabled');
    expect(told.map(({ url, event }) => [url, event.data])).toEqual([
      [other.url, expect.objectContaining({ endpoint_id: endpoint.id, reason: 'gone' })],
    ]);
  });

  it('without a success in five days is disabled, and told of once', async () => {
    const { tenant, endpoint } = await someone();
    const other = await world.register(tenant);
    world.answerWith(({ url }) => answered(url === endpoint.url ? 500 : 200));

    for (let day = 0; day < 6; day += 1) {
      await world.raise(world.event(tenant));
      await world.pass(DAY);
    }
    await world.pass();

    expect((await world.endpoint(tenant, endpoint))?.standing).toMatchObject({
      status: 'disabled',
      reason: 'no_success',
    });
    const told = world.posted.filter(({ event }) => event.type === 'webhook.disabled');
    expect(told.map(({ url }) => url)).toEqual([other.url]);
  });

  it('that answers again is not failing any more', async () => {
    const { tenant, endpoint } = await someone();
    world.answerWith(() => (world.posted.length === 1 ? answered(500) : answered(200)));

    await world.raise(world.event(tenant));
    await world.settle();
    const failing = (await world.endpoint(tenant, endpoint))?.standing;
    await world.pass();

    expect(failing).toEqual({ status: 'verified', failing_since: expect.any(String) });
    expect((await world.endpoint(tenant, endpoint))?.standing).toEqual({
      status: 'verified',
      failing_since: null,
    });
  });

  it('that was disabled between two attempts is sent nothing, and its events can be replayed', async () => {
    const { tenant, endpoint } = await someone();
    world.answerWith(() => answered(500));
    const event = world.event(tenant);
    await world.raise(event);
    await world.settle();
    const disabled_at = new Date(world.time.now).toISOString();
    await world.replace(tenant, {
      ...endpoint,
      standing: { status: 'disabled', reason: 'admin', disabled_at, proven: true },
    });
    await world.pass();
    const before = world.posted.length;
    world.answerWith(() => answered(200));

    await world.replace(tenant, endpoint);
    await world.publishing.enter(endpoint, [event], { kind: 'event', replay: 'R1' });
    await world.pass();

    expect(before).toBe(1);
    expect(world.posted.slice(1).map(({ event: sent }) => sent)).toEqual([
      { ...event, sequence: 2, replayed: true },
    ]);
  });

  it('that was removed is sent nothing', async () => {
    const { tenant, endpoint } = await someone();
    const event = world.event(tenant);
    await world.publishing.enter({ id: altered(endpoint.id) }, [event], { kind: 'event' });

    await world.pass();

    expect(world.posted).toEqual([]);
  });
});

describe('a rotation', () => {
  it('signs with both secrets while it overlaps, attempts under way included, then with the new one', async () => {
    const { tenant, endpoint } = await someone();
    world.answerWith(() => answered(500));
    const rotated = rotateSigningSecret({ current: SECRET, previous: null }, 'whsec_new', {
      at: world.time.now,
      overlap: HOUR,
    });

    await world.raise(world.event(tenant));
    await world.settle();
    await world.replace(tenant, {
      ...endpoint,
      sealed_secrets: sealSecrets(rotated, endpoint.id, KEY, randomBytes),
    });
    await world.pass();

    const signatures = world.posted.map(({ at, message }) => ({
      overlaps: at < Date.parse(rotated.previous?.valid_until ?? ''),
      count: message.headers['Service-Signature']?.match(/v1=/g)?.length,
    }));
    expect(signatures[0]?.count).toBe(1);
    expect(signatures.slice(1).every(({ overlaps, count }) => count === (overlaps ? 2 : 1))).toBe(true);
    expect(new Set(signatures.slice(1).map(({ count }) => count))).toEqual(new Set([1, 2]));
    const last = world.posted.at(-1);
    await verifySignature(
      { body: last?.message.body ?? '', signature: last?.message.headers['Service-Signature'] ?? null },
      { secrets: 'whsec_new', now: () => last?.at ?? 0 },
    );
  });
});

describe('a challenge', () => {
  const asked = async (tenant: ReturnType<Delivering['newTenant']>) => {
    const { challenge, open } = newChallenge(randomBytes, world.time.now);
    const endpoint = await world.register(tenant, { standing: { status: 'pending', challenge: open } });
    await world.replace(tenant, {
      ...endpoint,
      sealed_challenge: sealChallenge(challenge, endpoint.id, KEY, randomBytes),
    });
    const event = { ...world.event(tenant), type: 'webhook.verification' as const, data: {} };
    await world.publishing.enter(endpoint, [event], { kind: 'verification' });
    return { challenge, endpoint, event };
  };

  it('is sent to an endpoint that is pending, and its echo verifies it', async () => {
    const tenant = world.newTenant();
    const { challenge, endpoint, event } = await asked(tenant);
    world.answerWith(({ event: sent }) => answered(200, null, JSON.stringify(sent.data)));

    await world.pass();

    expect(world.posted.map(({ event: sent }) => sent)).toEqual([
      { ...event, sequence: 1, data: { challenge } },
    ]);
    expect(await world.endpoint(tenant, endpoint)).toMatchObject({
      standing: { status: 'verified', failing_since: null },
      sealed_challenge: null,
    });
  });

  it.each([
    ['another one', () => JSON.stringify({ challenge: 'no' })],
    ['the whole event', ({ event }: Posted) => JSON.stringify(event)],
    ['nothing', () => ''],
  ])('that is answered with %s proves nothing', async (_, bodyOf) => {
    const tenant = world.newTenant();
    const { endpoint } = await asked(tenant);
    world.answerWith((posted) => answered(200, null, bodyOf(posted)));

    await world.pass();

    expect((await world.endpoint(tenant, endpoint))?.standing.status).toBe('pending');
  });

  it('is not sent once the endpoint is verified', async () => {
    const tenant = world.newTenant();
    const { endpoint } = await asked(tenant);
    await world.replace(tenant, { ...endpoint, standing: { status: 'verified', failing_since: null } });

    await world.pass();

    expect(world.posted).toEqual([]);
  });
});

describe('what is asked for', () => {
  it('again enters once a request, under a sequence of its own and the same id', async () => {
    const { tenant, endpoint } = await someone();
    const events = [world.event(tenant), world.event(tenant)];
    await world.raise(...events);
    await world.pass();

    for (const replay of ['R1', 'R1', 'R2']) {
      await world.publishing.enter(endpoint, events, { kind: 'event', replay });
    }
    await world.pass();

    const again = world.posted.slice(2);
    expect(again.map(({ event }) => event.sequence).sort()).toEqual([3, 4, 5, 6]);
    expect(new Set(idsOf(again))).toEqual(new Set(events.map(({ id }) => id)));
    expect(again.every(({ event }) => event.replayed === true)).toBe(true);
    expect((await world.log(tenant, endpoint)).filter(({ replayed }) => replayed)).toHaveLength(4);
  });

  it('as a sample is marked as one', async () => {
    const { tenant, endpoint } = await someone();

    await world.publishing.enter(endpoint, [world.event(tenant)], { kind: 'test' });
    await world.pass();

    expect(world.posted).toMatchObject([{ event: { test: true } }]);
    expect(await world.log(tenant, endpoint)).toMatchObject([{ test: true }]);
  });
});

describe('a message for the next attempt', () => {
  it.each([
    ['before', false],
    ['behind', true],
  ])('is heeded %s a copy of the one before it, in the same batch', async (_, isLast) => {
    const { tenant, endpoint } = await someone();
    const event = world.event(tenant);
    await world.publishing.enter(endpoint, [event], { kind: 'event' });
    const first = messageFor(event, endpoint.id);
    world.answerWith(() => answered(500));
    await world.deliver([first]);
    world.answerWith(() => answered(200));
    world.time.now += HOUR;
    const next = { ...first, attempt: 1 };

    await world.deliver(isLast ? [first, next] : [next, first]);

    expect(world.posted).toHaveLength(2);
    expect((await world.log(tenant, endpoint)).map(({ outcome }) => outcome).sort()).toEqual([
      'acknowledged',
      'retried',
    ]);
  });
});

describe('a receiver that hangs', () => {
  it('holds up one batch of its own at a time, and nobody else', async () => {
    const slow = await someone();
    const quick = await someone();
    const held: ((outcome: Outcome) => void)[] = [];
    world.answerWith(({ url }) =>
      url === slow.endpoint.url ? new Promise((resolve) => held.push(resolve)) : answered(200),
    );
    const many = Array.from({ length: 40 }, () => world.event(slow.tenant));
    const few = Array.from({ length: 10 }, () => world.event(quick.tenant));
    await world.publishing.enter(slow.endpoint, many, { kind: 'event' });
    await world.publishing.enter(quick.endpoint, few, { kind: 'event' });
    const batchesFor = (events: readonly RaisedEvent[], endpoint: StoredEndpoint) =>
      batchesOf(events.map((event) => messageFor(event, endpoint.id)));

    const hanging = batchesFor(many, slow.endpoint).map(world.deliver);
    await Promise.all(batchesFor(few, quick.endpoint).map(world.deliver));
    await expect.poll(() => world.waiting.length).toBe(30);

    expect(await world.log(quick.tenant, quick.endpoint)).toHaveLength(10);
    expect(held).toHaveLength(10);
    for (const end of held.splice(0)) end(unanswered('timeout'));
    await Promise.all(hanging);
  });

  it('is left to the one that calls it until its lease ends, should that have died', async () => {
    const { tenant, endpoint } = await someone();
    const [first, second] = [world.event(tenant), world.event(tenant)];
    await world.publishing.enter(endpoint, [first, second], { kind: 'event' });
    world.answerWith(() => new Promise(() => undefined));
    void world.deliver([messageFor(first, endpoint.id)]);
    await expect.poll(() => world.posted.length).toBe(1);
    world.answerWith(() => answered(200));

    await world.deliver([messageFor(second, endpoint.id)]);
    const before = world.posted.length;
    world.time.now += 30_000;
    await world.deliver([messageFor(second, endpoint.id)]);

    expect(before).toBe(1);
    expect(world.posted).toHaveLength(2);
    world.waiting.splice(0);
  });

  it('has what it cannot take wait longer and longer, half a minute at most while it answers', async () => {
    const { tenant, endpoint } = await someone();
    const [first, second] = [world.event(tenant), world.event(tenant)];
    await world.publishing.enter(endpoint, [first, second], { kind: 'event' });
    let end: (outcome: Outcome) => void = () => undefined;
    world.answerWith(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    world.drawWith(() => 0.5);
    const hanging = world.deliver([messageFor(first, endpoint.id)]);
    await expect.poll(() => world.posted.length).toBe(1);

    const waits: number[] = [];
    let message = messageFor(second, endpoint.id);
    for (let round = 0; round < 10; round += 1) {
      await world.deliver([message]);
      const [turnedAway] = world.waiting.splice(0);
      waits.push((turnedAway?.at ?? 0) - world.time.now);
      message = turnedAway?.message ?? message;
    }
    end(answered(200));
    await hanging;

    expect(waits).toEqual([2, 2, 3, 5, 9, 16, 16, 16, 16, 16].map((seconds) => seconds * 1_000));
  });
});
