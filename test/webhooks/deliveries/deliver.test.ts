import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newChallenge } from '../../../functions/webhooks/endpoints/challenge.ts';
import type { StoredEndpoint } from '../../../functions/webhooks/endpoints/endpoint.store.ts';
import { sealSecrets } from '../../../functions/webhooks/endpoints/seal.ts';
import { rotateSigningSecret } from '../../../functions/webhooks/endpoints/signature.ts';
import { verifySignature } from '../../../sdk/typescript/webhooks/verify.ts';
import { LOOPBACK, RECEIVER, startReceiver, testEgress } from '../../egress/httpsReceiver.ts';
import { KEY, messageFor, SECRET } from '../deliveryFixtures.ts';
import { type DeliveryHarness, type Posted, startDeliveryHarness } from '../deliveryHarness.ts';
import { answered } from '../egressOutcomes.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let world: DeliveryHarness;
beforeAll(async () => {
  world = await startDeliveryHarness();
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
    const there = await startReceiver();
    const { tenant } = await world.someone();
    const endpoint = await world.register(tenant, { url: `https://${RECEIVER}:${there.port}/` });
    const event = world.event(tenant);
    await world.publishing.publishTo(endpoint, [event], { kind: 'event' });

    await world.delivererOf(testEgress([there.port]))([messageFor(event, endpoint.id)]);

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
    await world.register(tenant, { state: standing });

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
    await world.publishing.publishTo(endpoint, [event], { kind: 'event' });

    await Promise.all([1, 2, 3].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
    expect(await world.log(tenant, endpoint)).toHaveLength(1);
  });
});

describe('a batch of one endpoint', () => {
  const entered = async (endpoint: StoredEndpoint, tenant: ReturnType<DeliveryHarness['newTenant']>) => {
    const events = Array.from({ length: 10 }, () => world.event(tenant));
    await world.publishing.publishTo(endpoint, events, { kind: 'event' });
    const [first, ...others] = events.map((event) => messageFor(event, endpoint.id));
    if (first === undefined) throw new Error('there is no message');
    return [first, ...others] as const;
  };
  /** Names of the calls of DynamoDB that something takes. */
  const callsOf = async (something: () => Promise<void>) => {
    const send = vi.spyOn(DynamoDBClient.prototype, 'send');
    await something();
    const names = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    return names.sort();
  };

  it('is read together, and what ends at the same time is committed together', async () => {
    const { tenant, endpoint } = await world.someone();
    const batch = await entered(endpoint, tenant);

    const calls = await callsOf(() => world.deliver(batch));

    expect(calls).toEqual([
      ...['BatchGetItemCommand', 'BatchGetItemCommand'],
      // The endpoint, and whoever authorized it.
      ...['DeleteItemCommand', 'GetItemCommand', 'GetItemCommand', 'PutItemCommand'],
      'TransactWriteItemsCommand',
    ]);
    expect((await world.log(tenant, endpoint)).map(({ outcome }) => outcome)).toEqual(
      batch.map(() => 'acknowledged'),
    );
  });

  it('does not contend with itself for where the endpoint stands', async () => {
    const { tenant, endpoint } = await world.someone();
    const batch = await entered(endpoint, tenant);
    world.answerWith(({ event }) => answered(event.sequence % 2 === 0 ? 500 : 200));

    const calls = await callsOf(() => world.deliver(batch));

    // One read of the endpoint and of whoever authorized it: nobody had to look again.
    expect(calls.filter((name) => name === 'GetItemCommand')).toHaveLength(2);
    expect((await world.log(tenant, endpoint)).map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'acknowledged'),
      ...Array.from({ length: 5 }, () => 'retried'),
    ]);
    world.answerWith(() => answered(200));
    await world.pass();
    expect(await world.log(tenant, endpoint)).toHaveLength(15);
  });

  it('commits what it can where somebody else has made one of its attempts', async () => {
    const { tenant, endpoint } = await world.someone();
    const batch = await entered(endpoint, tenant);
    let isFirst = true;
    world.answerWith(async () => {
      if (isFirst) {
        isFirst = false;
        // Another process, which believes that this one is dead.
        world.time.now += 16_000;
        await world.deliver([batch[5] ?? batch[0]]);
      }
      return answered(200);
    });

    await world.deliver(batch);

    const log = await world.log(tenant, endpoint);
    expect(new Set(log.map(({ event_id }) => event_id)).size).toBe(10);
    expect(log.every(({ outcome }) => outcome === 'acknowledged')).toBe(true);
    await world.deliver(batch);
    expect(await world.log(tenant, endpoint)).toEqual(log);
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
      await world.publishing.publishTo(endpoint, events, { kind: 'event', replay });
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

    await world.publishing.publishTo(endpoint, [world.event(tenant)], { kind: 'test' });
    await world.pass();

    expect(world.posted).toMatchObject([{ event: { test: true } }]);
    expect(await world.log(tenant, endpoint)).toMatchObject([{ test: true }]);
  });
});
