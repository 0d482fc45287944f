import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newChallenge } from '../../../../functions/delivery/webhooks/endpoints/challenge.ts';
import type { StoredEndpoint } from '../../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import { sealSecrets } from '../../../../functions/delivery/webhooks/endpoints/seal.ts';
import { rotateSigningSecret } from '../../../../functions/delivery/webhooks/endpoints/signature.ts';
import { verifySignature } from '../../../../sdk/typescript/webhooks/verify.ts';
import { LOOPBACK, RECEIVER, startReceiver, testEgress } from '../../../platform/egress/httpsReceiver.ts';
import { KEY, messageFor, SECRET } from '../deliveryFixtures.ts';
import { type DeliveryHarness, type Posted, startDeliveryHarness } from '../deliveryHarness.ts';
import { answered } from '../egressOutcomes.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

const idsOf = (posted: readonly Posted[]) => posted.map(({ event }) => event.id);

describe('a raised event', () => {
  it('is delivered to every subscribed verified endpoint and logged', async () => {
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

  it('arrives over TLS with exactly the signed bytes', async () => {
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
  ] as const)('is not sent to an endpoint that is %s', async (_, state) => {
    const tenant = world.newTenant();
    await world.register(tenant, { state });

    await world.raise(world.event(tenant));
    await world.pass();

    expect(world.posted).toEqual([]);
  });
});

describe('an acknowledged delivery', () => {
  it('is not repeated when the queue delivers its message again', async () => {
    const { tenant, endpoint } = await world.someone();
    const event = world.event(tenant);
    await world.raise(event);
    await world.settle();

    await Promise.all([0, 1, 2].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
  });

  it('is made once when its message is received three times concurrently', async () => {
    const { tenant, endpoint } = await world.someone();
    const event = world.event(tenant);
    await world.publishing.publishTo(endpoint, [event], { kind: 'event' });

    await Promise.all([1, 2, 3].map(() => world.deliver([messageFor(event, endpoint.id)])));

    expect(world.posted).toHaveLength(1);
    expect(await world.log(tenant, endpoint)).toHaveLength(1);
  });
});

describe('a batch for one endpoint', () => {
  const publishBatch = async (endpoint: StoredEndpoint, tenant: ReturnType<DeliveryHarness['newTenant']>) => {
    const events = Array.from({ length: 10 }, () => world.event(tenant));
    await world.publishing.publishTo(endpoint, events, { kind: 'event' });
    const [first, ...others] = events.map((event) => messageFor(event, endpoint.id));
    if (first === undefined) throw new Error('the batch is empty');
    return [first, ...others] as const;
  };
  /** The names of the DynamoDB commands that an action sends. */
  const callsOf = async (action: () => Promise<unknown>) => {
    const send = vi.spyOn(DynamoDBClient.prototype, 'send');
    await action();
    const names = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    return names.sort();
  };

  it('is read with batch requests, and attempts that complete together are committed in one transaction', async () => {
    const { tenant, endpoint } = await world.someone();
    const batch = await publishBatch(endpoint, tenant);

    const calls = await callsOf(() => world.deliver(batch));

    expect(calls).toEqual([
      ...['BatchGetItemCommand', 'BatchGetItemCommand'],
      // The endpoint and the credential that authorized it.
      ...['DeleteItemCommand', 'GetItemCommand', 'GetItemCommand', 'PutItemCommand'],
      'TransactWriteItemsCommand',
    ]);
    expect((await world.log(tenant, endpoint)).map(({ outcome }) => outcome)).toEqual(
      batch.map(() => 'acknowledged'),
    );
  });

  it('does not conflict with itself when several attempts change the endpoint state', async () => {
    const { tenant, endpoint } = await world.someone();
    const batch = await publishBatch(endpoint, tenant);
    world.answerWith(({ event }) => answered(event.sequence % 2 === 0 ? 500 : 200));

    const calls = await callsOf(() => world.deliver(batch));

    // One read of the endpoint and one of the credential. A conflict would need more reads.
    expect(calls.filter((name) => name === 'GetItemCommand')).toHaveLength(2);
    expect((await world.log(tenant, endpoint)).map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'acknowledged'),
      ...Array.from({ length: 5 }, () => 'retried'),
    ]);
    world.answerWith(() => answered(200));
    await world.pass();
    expect(await world.log(tenant, endpoint)).toHaveLength(15);
  });

  it('commits its other attempts when another process has made one of them', async () => {
    const { tenant, endpoint } = await world.someone();
    const batch = await publishBatch(endpoint, tenant);
    let isFirst = true;
    world.answerWith(async () => {
      if (isFirst) {
        isFirst = false;
        // Another process takes over after the lease expires.
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

describe('a secret rotation', () => {
  it('signs with both secrets during the overlap, retries included, then with the new secret only', async () => {
    const { tenant, endpoint } = await world.someone();
    world.answerWith(() => answered(500));
    const rotated = rotateSigningSecret({ current: SECRET, previous: null }, 'whsec_new-0123456789abcdef', {
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
      { secrets: 'whsec_new-0123456789abcdef', now: () => last?.at ?? 0 },
    );
  });
});

describe('replays and samples', () => {
  it('appends a replayed event once per request, with a new sequence number and the same event id', async () => {
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

  it('marks a sample as test', async () => {
    const { tenant, endpoint } = await world.someone();

    await world.publishing.publishTo(endpoint, [world.event(tenant)], { kind: 'test' });
    await world.pass();

    expect(world.posted).toMatchObject([{ event: { test: true } }]);
    expect(await world.log(tenant, endpoint)).toMatchObject([{ test: true }]);
  });
});
