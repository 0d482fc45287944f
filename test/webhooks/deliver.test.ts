import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newChallenge } from '../../functions/webhooks/challenge.ts';
import { sealSecrets } from '../../functions/webhooks/seal.ts';
import { rotateSigningSecret } from '../../functions/webhooks/signature.ts';
import { verifySignature } from '../../sdk/typescript/webhooks/verify.ts';
import { LOOPBACK, RECEIVER, receiver, wayOut } from '../egress/receiver.ts';
import { type Delivering, type Posted, startDelivering } from './delivering.ts';
import { KEY, messageFor, SECRET } from './deliveryThings.ts';
import { answered } from './outcomes.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let world: Delivering;
beforeAll(async () => {
  world = await startDelivering();
});
afterAll(() => world.stop());
beforeEach(() => world.reset());

const idsOf = (posted: readonly Posted[]) => posted.map(({ event }) => event.id);

describe('an event that was raised', () => {
  it('is delivered to every verified endpoint that subscribes to it, and told of in its log', async () => {
    const { tenant, endpoint } = await world.someone();
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
    const { tenant } = await world.someone();
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
    const { tenant, endpoint } = await world.someone();
    const event = world.event(tenant);
    await world.raise(event);
    await world.settle();

    await Promise.all([0, 1, 2].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
  });

  it('is made once where its message was handed out twice at once', async () => {
    const { tenant, endpoint } = await world.someone();
    const event = world.event(tenant);
    await world.publishing.enter(endpoint, [event], { kind: 'event' });

    await Promise.all([1, 2, 3].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
    expect(await world.log(tenant, endpoint)).toHaveLength(1);
  });
});

describe('a rotation', () => {
  it('signs with both secrets while it overlaps, attempts under way included, then with the new one', async () => {
    const { tenant, endpoint } = await world.someone();
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

describe('what is asked for', () => {
  it('again enters once a request, under a sequence of its own and the same id', async () => {
    const { tenant, endpoint } = await world.someone();
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
    const { tenant, endpoint } = await world.someone();

    await world.publishing.enter(endpoint, [world.event(tenant)], { kind: 'test' });
    await world.pass();

    expect(world.posted).toMatchObject([{ event: { test: true } }]);
    expect(await world.log(tenant, endpoint)).toMatchObject([{ test: true }]);
  });
});
