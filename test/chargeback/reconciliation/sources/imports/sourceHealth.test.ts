import { describe, expect, it } from 'vitest';
import type { BillSource } from '../../../../../schemas/chargeback/billSources.ts';
import { DAY_MS, dateBefore, HOUR_MS, KEY, NOW } from '../sourceHarness.ts';
import { faults, input, runLater, tenant, useSources, world } from '../sourceWorld.ts';

useSources({ from: -20, to: 60 });

const publish = (daysAgo: number) => world.providers.openai.publish(dateBefore(daysAgo), [input('1')]);
const answer = (status: number | null) => {
  world.providers.openai.state.instead = status === null ? null : () => ({ status, body: '' });
};
const patch = ({ id }: BillSource, body: object) => world.call('updateBillSource', { tenant, id, body });
/** The changes that events told: from and to which health, and the error. */
const changes = async () =>
  (await world.live.eventsOf(tenant)).map(({ data }) => [data['previous'], data['state'], data['error']]);

describe('the health of a bill source', () => {
  it('is reported once when the provider refuses the credential, and once when another one works', async () => {
    publish(1);
    const source = await world.create(tenant);
    await runLater(0);
    expect(await changes()).toEqual([]);

    answer(401);
    await runLater(HOUR_MS);
    await runLater(HOUR_MS);
    await runLater(HOUR_MS);
    const [event, ...others] = await world.live.eventsOf(tenant);

    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'bill_source.health.changed',
      created_at: new Date(NOW + HOUR_MS).toISOString(),
      data: {
        bill_source_id: source.id,
        provider: 'openai',
        name: 'OpenAI',
        account: null,
        previous: 'working',
        state: 'failing',
        error: 'refused',
        published_until: `${dateBefore(0)}T00:00:00.000Z`,
      },
    });
    await patch(source, { credential: KEY });
    expect(await changes()).toHaveLength(1);
    answer(null);
    await runLater(HOUR_MS);
    await runLater(HOUR_MS);

    expect(await changes()).toEqual([
      ['working', 'failing', 'refused'],
      ['failing', 'working', null],
    ]);
  });

  it('stays failing with a new credential that the provider refuses too', async () => {
    answer(403);
    const source = await world.create(tenant);
    await runLater(0);
    await patch(source, { credential: 'another-wrong-key' });

    await runLater(HOUR_MS);

    expect(await changes()).toEqual([['working', 'failing', 'refused']]);
  });

  it('is not reported before an error that passes by itself has occurred five times in a row', async () => {
    answer(503);
    await world.create(tenant);
    for (let run = 0; run < 4; run += 1) await runLater(6 * HOUR_MS);
    expect(await changes()).toEqual([]);

    await runLater(6 * HOUR_MS);

    expect(await changes()).toEqual([['working', 'failing', 'unavailable']]);
  });

  it('is late once when nothing is published for a day, and working with the next charge', async () => {
    publish(1);
    await world.create(tenant);
    await runLater(0);
    await runLater(36 * HOUR_MS);
    expect(await changes()).toEqual([]);
    await runLater(HOUR_MS);
    await runLater(HOUR_MS);
    expect(await changes()).toEqual([['working', 'late', null]]);

    publish(0);
    await runLater(HOUR_MS);

    expect(await changes()).toEqual([
      ['working', 'late', null],
      ['late', 'working', null],
    ]);
  });

  it('is reported while the source waits after a failure', async () => {
    publish(1);
    await world.create(tenant);
    await runLater(0);
    const headers = { 'retry-after': '21600' };
    world.providers.openai.state.instead = () => ({ status: 429, headers, body: '' });
    await runLater(33 * HOUR_MS);
    world.providers.openai.requests.length = 0;

    await runLater(4 * HOUR_MS);

    expect(world.providers.openai.requests).toEqual([]);
    expect(await changes()).toEqual([['working', 'late', null]]);
  });

  it('does not change while the source is paused', async () => {
    const source = await world.create(tenant);
    await runLater(0);
    await patch(source, { paused: true });

    await runLater(9 * DAY_MS);

    expect(await changes()).toEqual([]);
  });

  it.each(
    [0, 1, 2, 3, 4].flatMap((write) => (['before', 'after'] as const).map((moment) => ({ write, moment }))),
  )('is reported once when a run dies at %o', async (fault) => {
    answer(401);
    await world.create(tenant);
    void faults.arm({ ...fault, kind: 'dies' });
    await world.run(tenant).catch(() => undefined);
    faults.restart();

    await runLater(HOUR_MS);
    await runLater(HOUR_MS);

    expect(await changes()).toEqual([['working', 'failing', 'refused']]);
  });
});
