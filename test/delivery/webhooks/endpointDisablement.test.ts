import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { partitionOf } from '../../../functions/delivery/webhooks/deliveries/deliveryKey.ts';
import { deliveryLogReader } from '../../../functions/delivery/webhooks/deliveries/deliveryLog.store.ts';
import { requestedBy } from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { tamper } from '../../support/tamper.ts';
import { startDeliveryHarness } from './deliveryHarness.ts';
import { answered } from './egressOutcomes.ts';

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('endpoint state after deliveries', () => {
  it('disables an endpoint that answers 410 for 24 hours, sends it nothing more, and sends webhook.disabled to the others', async () => {
    const { tenant, endpoint } = await world.someone();
    const other = await world.register(tenant);
    world.answerWith(({ url }) => answered(url === endpoint.url ? 410 : 200));

    await world.raise(world.event(tenant));
    await world.pass(DAY_MS - 1);
    const before = (await world.endpoint(tenant, endpoint))?.state.status;
    await world.pass();
    const attempts = world.posted.filter(({ url }) => url === endpoint.url);
    await world.raise(world.event(tenant));
    await world.pass();

    expect(before).toBe('verified');
    expect(attempts.length).toBeGreaterThan(5);
    expect((await world.endpoint(tenant, endpoint))?.state).toMatchObject({
      status: 'disabled',
      reason: 'gone',
    });
    expect(world.posted.filter(({ url }) => url === endpoint.url)).toEqual(attempts);
    const disabledEvents = world.posted.filter(({ event }) => event.type === 'webhook.disabled');
    expect(disabledEvents.map(({ url, event }) => [url, event.data])).toEqual([
      [other.url, expect.objectContaining({ endpoint_id: endpoint.id, reason: 'gone' })],
    ]);
  });

  it('delivers an event to an endpoint that answered 410 while it was deployed', async () => {
    const { tenant, endpoint } = await world.someone();
    world.answerWith(() => answered(world.posted.length < 3 ? 410 : 200));

    await world.raise(world.event(tenant));
    await world.pass();

    expect(world.posted).toHaveLength(3);
    expect((await world.endpoint(tenant, endpoint))?.state.status).toBe('verified');
  });

  it('disables an endpoint without a success in five days, and sends webhook.disabled once', async () => {
    const { tenant, endpoint } = await world.someone();
    const other = await world.register(tenant);
    world.answerWith(({ url }) => answered(url === endpoint.url ? 500 : 200));

    for (let day = 0; day < 6; day += 1) {
      await world.raise(world.event(tenant));
      await world.pass(DAY_MS);
    }
    await world.pass();

    expect((await world.endpoint(tenant, endpoint))?.state).toMatchObject({
      status: 'disabled',
      reason: 'no_success',
    });
    const disabledEvents = world.posted.filter(({ event }) => event.type === 'webhook.disabled');
    expect(disabledEvents.map(({ url }) => url)).toEqual([other.url]);
  });

  it('clears failing_since when a delivery succeeds again', async () => {
    const { tenant, endpoint } = await world.someone();
    world.answerWith(() => (world.posted.length === 1 ? answered(500) : answered(200)));

    await world.raise(world.event(tenant));
    await world.settle();
    const failing = (await world.endpoint(tenant, endpoint))?.state;
    await world.pass();

    expect(failing).toEqual({ status: 'verified', failing_since: expect.any(String) });
    expect((await world.endpoint(tenant, endpoint))?.state).toEqual({
      status: 'verified',
      failing_since: null,
    });
  });

  describe('a paused endpoint', () => {
    const paused = (at: number) => ({
      status: 'disabled' as const,
      reason: 'admin' as const,
      disabled_at: new Date(at).toISOString(),
      proven: true,
    });

    it('gets what was due and what was raised meanwhile, in time and once, when it is enabled again', async () => {
      const { tenant, endpoint } = await world.someone();
      world.answerWith(() => answered(503));
      const due = world.event(tenant);
      await world.raise(due);
      await world.settle();
      await world.replace(tenant, { ...endpoint, state: paused(world.time.now) });
      const raised = world.event(tenant);
      await world.raise(raised);
      await world.pass(20 * HOUR_MS);
      const during = world.posted.length;
      world.answerWith(() => answered(200));
      await world.replace(tenant, endpoint);
      await world.pass(15 * MINUTE_MS);

      expect(during).toBe(1);
      expect(
        world.posted
          .slice(1)
          .map(({ event }) => event.id)
          .sort(),
      ).toEqual([due.id, raised.id].sort());
    });

    it.each([0, 26 * HOUR_MS])(
      'ends deliveries whose event is gone after %d ms, so that none stays pending',
      async (after) => {
        const { tenant, endpoint } = await world.someone();
        await world.replace(tenant, { ...endpoint, state: paused(world.time.now) });
        await world.raise(world.event(tenant));
        await world.settle();
        const [waiting] = world.waiting();
        const [requested] = waiting === undefined ? [] : requestedBy(waiting.message);
        const key = {
          tenantId: tenant.tenant_id,
          endpointId: endpoint.id,
          dedupKey: requested?.dedup_key ?? '',
        };
        const Key = { pk: { S: partitionOf('entry', key) }, sk: { S: key.dedupKey } };
        await world.live.client.send(new DeleteItemCommand({ TableName: 'deliveries', Key }));
        world.time.now += after;

        await world.pass(DAY_MS);

        expect((await world.streams.delivery(key))?.document.state).toBe('dropped');
        expect(world.waiting()).toEqual([]);
      },
    );

    it('shows in its log what was kept for too long, which can be replayed', async () => {
      const { tenant, endpoint } = await world.someone();
      await world.replace(tenant, { ...endpoint, state: paused(world.time.now) });
      const event = world.event(tenant);
      await world.raise(event);
      await world.pass(26 * HOUR_MS);
      const log = await deliveryLogReader('deliveries').attempts(tenant.tenant_id, endpoint.id, {
        descending: false,
        limit: 10,
      });
      await world.replace(tenant, endpoint);
      await world.publishing.publishTo(endpoint, [event], { kind: 'event', replay: 'R1' });
      await world.pass();

      expect(log).toMatchObject([{ event_id: event.id, outcome: 'dead_lettered', failure: 'paused' }]);
      expect(world.posted.map(({ event: sent }) => sent)).toEqual([
        { ...event, sequence: 2, replayed: true },
      ]);
    });
  });

  it('sends nothing to an endpoint that was deleted', async () => {
    const { tenant, endpoint } = await world.someone();
    const event = world.event(tenant);
    await world.publishing.publishTo({ ...endpoint, id: tamper(endpoint.id) }, [event], { kind: 'event' });

    await world.pass();

    expect(world.posted).toEqual([]);
  });
});
