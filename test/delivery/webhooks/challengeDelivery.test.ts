import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newChallenge } from '../../../functions/delivery/webhooks/endpoints/challenge.ts';
import { sealChallenge } from '../../../functions/delivery/webhooks/endpoints/seal.ts';
import { KEY } from './deliveryFixtures.ts';
import { type DeliveryHarness, type Posted, startDeliveryHarness } from './deliveryHarness.ts';
import { answered } from './egressOutcomes.ts';

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('the delivery of a verification challenge', () => {
  const publishChallenge = async (tenant: ReturnType<DeliveryHarness['newTenant']>) => {
    const { challenge, open } = newChallenge(randomBytes, world.time.now);
    const endpoint = await world.register(tenant, { state: { status: 'pending', challenge: open } });
    await world.replace(tenant, {
      ...endpoint,
      sealed_challenge: sealChallenge(challenge, endpoint.id, KEY, randomBytes),
    });
    const event = { ...world.event(tenant), type: 'webhook.verification' as const, data: {} };
    await world.publishing.publishTo(endpoint, [event], { kind: 'verification' });
    return { challenge, endpoint, event };
  };

  it('is sent to a pending endpoint, and the echo verifies the endpoint', async () => {
    const tenant = world.newTenant();
    const { challenge, endpoint, event } = await publishChallenge(tenant);
    world.answerWith(({ event: sent }) => answered(200, null, JSON.stringify(sent.data)));

    await world.pass();

    expect(world.posted.map(({ event: sent }) => sent)).toEqual([
      { ...event, sequence: 1, data: { challenge } },
    ]);
    expect(await world.endpoint(tenant, endpoint)).toMatchObject({
      state: { status: 'verified', failing_since: null },
      sealed_challenge: null,
    });
  });

  it.each([
    ['a wrong challenge', () => JSON.stringify({ challenge: 'no' })],
    ['the whole event', ({ event }: Posted) => JSON.stringify(event)],
    ['an empty body', () => ''],
  ])('keeps the endpoint pending when the answer is %s', async (_, bodyOf) => {
    const tenant = world.newTenant();
    const { endpoint } = await publishChallenge(tenant);
    world.answerWith((posted) => answered(200, null, bodyOf(posted)));

    await world.pass();

    expect((await world.endpoint(tenant, endpoint))?.state.status).toBe('pending');
  });

  it('is not sent again once a later challenge is open', async () => {
    const tenant = world.newTenant();
    const { endpoint } = await publishChallenge(tenant);
    world.answerWith(() => answered(500));
    await world.pass(0);
    const before = world.posted.length;
    const later = newChallenge(randomBytes, world.time.now + 1);
    await world.replace(tenant, {
      ...endpoint,
      state: { status: 'pending', challenge: later.open },
      sealed_challenge: sealChallenge(later.challenge, endpoint.id, KEY, randomBytes),
    });

    await world.pass();

    expect([before, world.posted.length]).toEqual([1, 1]);
  });

  it('sends nothing when the endpoint is already verified', async () => {
    const tenant = world.newTenant();
    const { endpoint } = await publishChallenge(tenant);
    await world.replace(tenant, { ...endpoint, state: { status: 'verified', failing_since: null } });

    await world.pass();

    expect(world.posted).toEqual([]);
  });
});
