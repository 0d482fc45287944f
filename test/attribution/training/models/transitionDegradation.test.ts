import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { degradationEvent } from '../../../../functions/attribution/training/models/degradation.ts';
import { servingWriter } from '../../../../functions/attribution/training/models/registry.store.ts';
import { transitionDegradation } from '../../../../functions/attribution/training/models/transitionDegradation.ts';
import { outbox } from '../../../../functions/platform/outbox/outbox.store.ts';
import { parseId } from '../../../../functions/platform/shared/ids.ts';
import { type DegradationChange, eventData } from '../../../../schemas/delivery/events.ts';
import { aTenant } from '../../engine/events.ts';
import { startModelHarness } from './harness.ts';

const STEADY = 30_000;
const FUNCTIONS = 6;

const world = await startModelHarness();
afterAll(() => world.live.stop());

const move = transitionDegradation({
  registry: servingWriter('models'),
  outbox: outbox('outbox'),
  clock: () => world.time.now,
});

it('changes the state and raises its event once under concurrent calls', async () => {
  const tenant = await world.newTenant();
  const [version] = await world.register(tenant, ['active']);
  const noticed = (isFallback: boolean) =>
    Promise.all(Array.from({ length: FUNCTIONS }, () => move(tenant, isFallback)));

  const degraded = await noticed(true);
  const since = new Date(world.time.now).toISOString();
  const during = await world.servingOf(tenant);
  const tooSoon = await noticed(false);
  world.time.now += STEADY;
  const recovered = await noticed(false);

  expect([degraded, tooSoon, recovered].map((made) => made.filter(Boolean).length)).toEqual([1, 0, 1]);
  expect(during).toMatchObject({ active: version, degradation: 'degraded_serving', since });
  const events = await world.eventsOf(tenant);
  expect(events.map(({ type, created_at, data }) => ({ type, created_at, data }))).toEqual([
    {
      type: 'degradation.state.changed',
      created_at: since,
      data: {
        previous: 'none',
        state: 'degraded_serving',
        reason: 'model_unavailable',
        model_version: version,
      },
    },
    {
      type: 'degradation.state.changed',
      created_at: new Date(world.time.now).toISOString(),
      data: {
        previous: 'degraded_serving',
        state: 'none',
        reason: 'model_available',
        model_version: version,
      },
    },
  ]);
  for (const { id, data, tenant_id } of events) {
    expect(eventData['degradation.state.changed'].parse(data)).toEqual(data);
    expect(parseId(id, 'evt', tenant.tag).kind).toBe('own');
    expect(tenant_id).toBe(tenant.tenant_id);
  }
});

it('does not overwrite a recall', async () => {
  const tenant = await world.newTenant();
  await world.register(tenant, ['active'], { degradation: 'model_recalled' });

  expect([await move(tenant, true), await move(tenant, false)]).toEqual([false, false]);
  expect(await world.servingOf(tenant)).toMatchObject({ degradation: 'model_recalled' });
  expect(await world.eventsOf(tenant)).toEqual([]);
});

it('does not change the state of other tenants', async () => {
  const [one, other] = [await world.newTenant(), await world.newTenant()];
  for (const tenant of [one, other]) await world.register(tenant, ['active']);

  await move(one, true);

  expect(await world.servingOf(other)).toMatchObject({ degradation: 'none' });
  expect(await world.eventsOf(other)).toEqual([]);
});

it('derives a unique and stable event id for each change', () => {
  const states = fc.constantFrom('none', 'degraded_serving', 'model_recalled', 'disabled');
  const changes = fc.record({
    tenant_id: fc.constantFrom('acme', 'globex'),
    at: fc.nat(),
    previous: states,
    state: states,
  });

  fc.assert(
    fc.property(fc.uniqueArray(changes, { selector: (one) => JSON.stringify(one) }), (all) => {
      const idsOf = () =>
        all.map(({ tenant_id, at, previous, state }) => {
          const change: DegradationChange = {
            previous,
            state,
            reason: 'model_available',
            model_version: null,
          };
          return degradationEvent(aTenant({ tenant_id }), change, at).id;
        });

      expect(new Set(idsOf()).size).toBe(all.length);
      expect(idsOf()).toEqual(idsOf());
    }),
  );
});
