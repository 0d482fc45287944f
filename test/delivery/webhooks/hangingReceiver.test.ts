import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEndpoint } from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { messageFor } from './deliveryFixtures.ts';
import { batchesOf, startDeliveryHarness } from './deliveryHarness.ts';
import { answered, unanswered } from './egressOutcomes.ts';

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('a receiver that does not answer', () => {
  it('blocks one batch of its own endpoint and no other endpoint', async () => {
    const slow = await world.someone();
    const quick = await world.someone();
    const held: ((outcome: EgressOutcome) => void)[] = [];
    world.answerWith(({ url }) =>
      url === slow.endpoint.url ? new Promise((resolve) => held.push(resolve)) : answered(200),
    );
    const many = Array.from({ length: 40 }, () => world.event(slow.tenant));
    const few = Array.from({ length: 10 }, () => world.event(quick.tenant));
    await world.publishing.publishTo(slow.endpoint, many, { kind: 'event' });
    await world.publishing.publishTo(quick.endpoint, few, { kind: 'event' });
    world.lose();
    const batchesFor = (events: readonly RaisedEvent[], endpoint: StoredEndpoint) =>
      batchesOf(events.map((event) => messageFor(event, endpoint.id)));

    const hanging = batchesFor(many, slow.endpoint).map(world.deliver);
    await Promise.all(batchesFor(few, quick.endpoint).map(world.deliver));
    await expect.poll(() => world.waiting().length).toBe(30);

    expect(await world.log(quick.tenant, quick.endpoint)).toHaveLength(10);
    expect(held).toHaveLength(10);
    for (const end of held.splice(0)) end(unanswered('timeout'));
    await Promise.all(hanging);
  });

  it('is called by another process only after the lease of a crashed process expires', async () => {
    const { tenant, endpoint } = await world.someone();
    const [first, second] = [world.event(tenant), world.event(tenant)];
    await world.publishing.publishTo(endpoint, [first, second], { kind: 'event' });
    world.lose();
    world.answerWith(() => new Promise(() => undefined));
    void world.deliver([messageFor(first, endpoint.id)]);
    await expect.poll(() => world.posted.length).toBe(1);
    world.answerWith(() => answered(200));

    await world.deliver([messageFor(second, endpoint.id)]);
    const before = world.posted.length;
    world.time.now += 15_000;
    await world.deliver([messageFor(second, endpoint.id)]);

    expect(before).toBe(1);
    expect(world.posted).toHaveLength(2);
    world.lose();
  });

  it.each([
    ['a second', 1_000, 0],
    ['an hour', 3_600_000, 1],
  ])(
    'is called under a lease of a clock that was %s ahead only if no clock is so far ahead',
    async (_, ahead, calls) => {
      const { tenant, endpoint } = await world.someone();
      const [first, second] = [world.event(tenant), world.event(tenant)];
      await world.publishing.publishTo(endpoint, [first, second], { kind: 'event' });
      world.lose();
      world.answerWith(() => new Promise(() => undefined));
      world.time.now += ahead;
      void world.deliver([messageFor(first, endpoint.id)]);
      await expect.poll(() => world.posted.length).toBe(1);
      world.time.now -= ahead;
      world.posted.length = 0;
      world.answerWith(() => answered(200));

      await world.deliver([messageFor(second, endpoint.id)]);

      expect(world.posted).toHaveLength(calls);
      world.lose();
    },
  );

  it('defers further messages with growing delays, up to half a minute while the endpoint is healthy', async () => {
    const { tenant, endpoint } = await world.someone();
    const [first, second] = [world.event(tenant), world.event(tenant)];
    await world.publishing.publishTo(endpoint, [first, second], { kind: 'event' });
    world.lose();
    let end: (outcome: EgressOutcome) => void = () => undefined;
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
      const [deferred] = world.waiting();
      world.lose();
      waits.push((deferred?.at ?? 0) - world.time.now);
      message = deferred?.message ?? message;
    }
    end(answered(200));
    await hanging;

    expect(waits).toEqual([2, 2, 3, 5, 9, 16, 16, 16, 16, 16].map((seconds) => seconds * 1_000));
  });
});
