import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import type { Fault } from '../../../../identity/credentials/faultInjection.ts';
import { DAY_MS, dateBefore, HOUR_MS, KEY, MINUTE_MS } from '../sourceHarness.ts';
import { faults, input, output, runLater, tenant, useSources, world, yesterday } from '../sourceWorld.ts';

useSources();

/** Days that a first import reads. */
const DAYS = 31;

describe('an import that does not complete', () => {
  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('says for the status %d: %s, without the text of the provider', async (status, error) => {
    world.providers.openai.state.instead = () => ({ status, body: '{"error":"text of the provider"}' });
    const source = await world.create(tenant);

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ status: 'failing', last_error: error });
    expect(await world.live.everything('billSources')).not.toContain('text of the provider');
  });

  it('says unreadable for a response without the documented form', async () => {
    world.providers.openai.state.instead = () => ({ status: 200, body: '<html>' });
    const source = await world.create(tenant);

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'unreadable' });
  });

  it('says too_large for a report of more than 20 pages', async () => {
    const { openai } = world.providers;
    openai.state.pageSize = 1;
    const charges = Array.from({ length: 21 }, () => input('1'));
    openai.publish(dateBefore(31), charges);
    const source = await world.create(tenant);

    await world.run(tenant);

    // The other days have one page each.
    expect(openai.requests).toHaveLength(20 + 30);
    expect(await world.read(tenant, source)).toMatchObject({
      last_error: 'too_large',
      unread_days: [{ day: dateBefore(31), error: 'too_large' }],
    });
  });

  it('says credential_lost when the credential cannot be decrypted', async () => {
    const source = await world.create(tenant);
    world.lost.credentials = true;

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'credential_lost' });
    expect(world.providers.openai.requests).toEqual([]);
  });

  it('waits as long as Retry-After says, and longer after each failure', async () => {
    const { openai } = world.providers;
    const headers = { 'retry-after': '7200' };
    openai.state.instead = () => ({ status: 429, headers, body: '' });
    await world.create(tenant);
    await world.run(tenant);

    await runLater(119 * MINUTE_MS);
    const early = openai.requests.length;
    openai.state.instead = () => ({ status: 503, body: '' });
    await runLater(MINUTE_MS);
    await runLater(10 * MINUTE_MS);
    const second = openai.requests.length;
    await runLater(10 * MINUTE_MS);

    expect([early, second, openai.requests.length]).toEqual([1, 2, 3]);
  });

  it('resumes at the day that failed', async () => {
    const { openai } = world.providers;
    openai.publish(yesterday, [input('1')]);
    const source = await world.create(tenant);
    let requests = 0;
    openai.state.instead = () => {
      requests += 1;
      if (requests === 10) openai.state.instead = () => ({ status: 500, body: '' });
      return { status: 200, body: '{"data":[],"has_more":false}' };
    };
    await world.run(tenant);
    const { imported_until } = await world.read(tenant, source);
    openai.state.instead = null;
    openai.requests.length = 0;

    await runLater(15 * MINUTE_MS);

    expect(imported_until).toBe(`${dateBefore(21)}T00:00:00.000Z`);
    expect(openai.requests).toHaveLength(21);
    expect(await world.read(tenant, source)).toMatchObject({ status: 'active' });
    expect(await world.billed(tenant, yesterday)).toBe('1');
  });

  it('says slow after 120 seconds, and resumes at the next run', async () => {
    const source = await world.create(tenant);
    world.time.perRequest = 20_000;

    await world.run(tenant);
    const afterFirst = await world.read(tenant, source);
    await runLater(15 * MINUTE_MS);

    expect(afterFirst).toMatchObject({
      last_error: 'slow',
      imported_until: `${dateBefore(25)}T00:00:00.000Z`,
    });
    expect(await world.read(tenant, source)).toMatchObject({
      imported_until: `${dateBefore(19)}T00:00:00.000Z`,
    });
  });

  it.each([9_000, 61_000, 121_000, 239_000])(
    'imports each day once over many runs that end at another step each: %d ms a request',
    async (perRequest) => {
      for (const ago of [1, 16, 31]) world.providers.openai.publish(dateBefore(ago), [input('1')]);
      const source = await world.create(tenant);
      world.time.perRequest = perRequest;

      for (let run = 0; run < DAYS; run += 1) {
        await world.run(tenant);
        if ((await world.read(tenant, source)).last_error === null) break;
        world.time.now += 15 * MINUTE_MS;
      }

      const { last_error, imported_until } = await world.read(tenant, source);
      expect({ last_error, imported_until }).toEqual({
        last_error: null,
        imported_until: `${dateBefore(0)}T00:00:00.000Z`,
      });
      expect(await world.billed(tenant, ...[1, 16, 31].map((ago) => dateBefore(ago)))).toBe('3');
      expect(world.providers.openai.requests).toHaveLength(DAYS);
    },
  );

  it('imports the sources beside one whose row cannot be read, which is logged', async () => {
    world.providers.openai.publish(yesterday, [input('1')]);
    const row = {
      pk: `source#${tenant.tenant_id}`,
      sk: '00000000000000000000000000',
      document: '{"of a later',
    };
    const Item = Object.fromEntries(Object.entries(row).map(([name, S]) => [name, { S }]));
    await world.live.client.send(new PutItemCommand({ TableName: 'billSources', Item }));
    const source = await world.create(tenant);

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ status: 'active', last_error: null });
    expect(await world.billed(tenant, yesterday)).toBe('1');
    const lines = vi.mocked(process.stdout.write).mock.calls.map(([line]) => String(line));
    const alarms = lines.filter((line) => line.includes('stored row cannot be read'));
    expect(alarms.filter((line) => line.includes(row.sk))).not.toEqual([]);
  });

  it('begins no page after 240 seconds', async () => {
    const { openai } = world.providers;
    openai.state.pageSize = 1;
    openai.publish(
      dateBefore(31),
      Array.from({ length: 50 }, () => input('1')),
    );
    const source = await world.create(tenant);
    world.time.perRequest = 50_000;

    await world.run(tenant);

    expect(openai.requests).toHaveLength(5);
    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'slow', imported_until: null });
  });
});

describe('a day whose report cannot be stored', () => {
  const many = Array.from({ length: 2_100 }, (_, index) => ({ amount: '1', item: `Other ${index}` }));
  it.each([
    ['unreadable', 'an amount with 61 digits', [input(`0.${'1'.repeat(61)}`)]],
    ['other_currency', 'a charge in EUR', [input('1'), { ...input('1'), currency: 'eur' }]],
    ['too_large', 'more than 2,000 rows', many],
  ])('is listed as %s for %s, tried again, and stops no other day', async (error, _, charges) => {
    const { openai } = world.providers;
    openai.state.pageSize = 3_000;
    for (let days = -1; days <= 5; days += 1) openai.publish(dateBefore(days), [input('1')]);
    openai.publish(dateBefore(3), charges);
    const source = await world.create(tenant);

    await world.run(tenant);
    await runLater(DAY_MS);
    const others = [5, 4, 2, 1, 0].map(dateBefore);
    const bad = await world.read(tenant, source);
    const billed = await world.billed(tenant, ...others);
    await runLater(12 * DAY_MS);
    openai.publish(dateBefore(3), [input('7')]);
    await runLater(6 * HOUR_MS);

    expect(billed).toBe('5');
    expect(bad).toMatchObject({
      status: 'failing',
      last_error: error,
      unread_days: [{ day: dateBefore(3), error }],
      imported_until: `${dateBefore(-1)}T00:00:00.000Z`,
    });
    expect(await world.billed(tenant, dateBefore(3))).toBe('7');
    expect(await world.read(tenant, source)).toMatchObject({
      status: 'active',
      last_error: null,
      unread_days: [],
    });
  });
});

describe('a change of the settings', () => {
  it('stops the imports of a paused source, and resumes them at once', async () => {
    const source = await world.create(tenant);
    await world.run(tenant);
    const patch = (paused: boolean) =>
      world.call('updateBillSource', { tenant, id: source.id, body: { paused } });
    await patch(true);
    world.providers.openai.requests.length = 0;

    await runLater(2 * DAY_MS);
    const paused = await world.read(tenant, source);
    const whilePaused = world.providers.openai.requests.length;
    await patch(false);
    await world.run(tenant);

    expect([paused.status, paused.is_late, whilePaused]).toEqual(['paused', false, 0]);
    expect(world.providers.openai.requests).toHaveLength(7);
  });

  it('imports at once with a new credential', async () => {
    const source = await world.create(tenant, { credential: 'a-wrong-credential' });
    await world.run(tenant);
    const refused = await world.read(tenant, source);

    await world.call('updateBillSource', { tenant, id: source.id, body: { credential: KEY } });
    await world.run(tenant);

    expect(refused).toMatchObject({ status: 'failing', last_error: 'refused' });
    expect(await world.read(tenant, source)).toMatchObject({ status: 'active', last_error: null });
  });

  it('during an import ends it before the next day is written', async () => {
    const { openai } = world.providers;
    openai.publish(dateBefore(31), [input('1')]);
    const source = await world.create(tenant);
    let deleted: Promise<unknown> = Promise.resolve();
    openai.state.instead = () => {
      openai.state.instead = null;
      deleted = world.call('deleteBillSource', { tenant, id: source.id });
      return { status: 200, body: '{"data":[],"has_more":false}' };
    };

    await world.run(tenant);
    await deleted;

    expect(await world.stored(tenant)).toEqual([]);
    expect(openai.requests.length).toBeLessThan(5);
  });
});

/** The writes of the last day, which alone has charges: the lease, the rows, the entry in the list, the watermark, the progress, the end of the run. */
const faultList = (
  [
    // To die before a write is to die after the one before it.
    ['dies', 'after'],
    ['repeats', 'before'],
    ['fails', 'before'],
    ['fails', 'after'],
  ] as const
).flatMap(([kind, moment]) =>
  [1, 2, 3, 4, 5, 6].map((write): Fault => ({ write: 2 * (DAYS - 1) + write, moment, kind })),
);

it.each(faultList)('charges every row once when a run stops at %o', async (fault) => {
  world.providers.openai.publish(yesterday, [input('1'), output('2')]);
  const source = await world.create(tenant);
  void faults.arm(fault);
  await world.run(tenant).catch(() => undefined);
  faults.restart();

  await runLater(15 * MINUTE_MS);
  await runLater();

  expect(await world.billed(tenant, yesterday)).toBe('3');
  expect(await world.deliveries(tenant)).toMatchObject([{ to: dateBefore(0), rows: 2, billed_usd: '3' }]);
  expect(await world.watermark(tenant)).toMatchObject({ until: Date.parse(dateBefore(0)) });
  expect(await world.read(tenant, source)).toMatchObject({ status: 'active', last_error: null });
});

it('lets one of two runs at the same time import a source', async () => {
  world.providers.openai.publish(yesterday, [input('1')]);
  await world.create(tenant);

  await Promise.all([world.run(tenant), world.run(tenant)]);

  expect(world.providers.openai.requests).toHaveLength(DAYS);
  expect(await world.billed(tenant, yesterday)).toBe('1');
});
