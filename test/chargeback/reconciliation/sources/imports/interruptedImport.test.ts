import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, NOW } from '../sourceHarness.ts';
import { faults, input, tenant, useSources, world, yesterday } from '../sourceWorld.ts';

/** How often the reader was called. */
let attempts: number;

useSources();
beforeEach(() => {
  attempts = 0;
});

const charge = input('1');
/** A reader that throws, as a fault of our own does. */
const breakReader = (): void => {
  world.providers.openai.state.instead = () => {
    attempts += 1;
    throw new Error('a fault of the reader');
  };
};
/** A process that is killed while it reads: it never stores the end of its run. */
const killWhileReading = (): void => {
  world.providers.openai.state.instead = () => {
    attempts += 1;
    void faults.arm({ write: 0, moment: 'before', kind: 'dies' });
    return { status: 500, body: '' };
  };
};
const run = async (): Promise<void> => {
  await world.run(tenant).catch(() => undefined);
  faults.restart();
};
/** The runs of a time, one every 15 minutes. */
const runsFor = async (milliseconds: number): Promise<void> => {
  for (const end = world.time.now + milliseconds; world.time.now < end; ) {
    await run();
    world.time.now += 15 * MINUTE_MS;
  }
};

describe.each([
  ['that throws', breakReader],
  ['that kills the process', killWhileReading],
])('a reader %s', (_, interrupt) => {
  it('is started at most nine times in a day, with growing pauses', async () => {
    await world.create(tenant);
    interrupt();

    await runsFor(6 * HOUR_MS);
    const early = attempts;
    await runsFor(18 * HOUR_MS);

    expect(early).toBeGreaterThan(2);
    expect(early).toBeLessThan(7);
    expect(attempts).toBeLessThan(10);
    expect(attempts).toBeGreaterThan(early);
  });

  it('shows the tenant the error and the next attempt, and is reported once', async () => {
    const source = await world.create(tenant);
    interrupt();
    await run();
    world.time.now += 6 * MINUTE_MS;
    const interrupted = await world.read(tenant, source);

    await runsFor(24 * HOUR_MS);

    expect(interrupted).toMatchObject({ status: 'failing', last_error: 'interrupted' });
    const wait = Date.parse(String(interrupted.next_import_at)) - NOW;
    expect(wait).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(wait).toBeLessThanOrEqual(20 * MINUTE_MS);
    expect((await world.live.eventsOf(tenant)).map(({ data }) => [data['state'], data['error']])).toEqual([
      ['failing', 'interrupted'],
    ]);
  });

  it('leaves the other sources of the tenant their hourly imports', async () => {
    const { anthropic } = world.providers;
    anthropic.publish(yesterday, [{ amount: '100', item: 'Input', model: 'claude-sonnet-4-20250514' }]);
    await world.create(tenant);
    await world.create(tenant, { provider: 'anthropic', name: 'Anthropic' });
    interrupt();

    await runsFor(HOUR_MS);

    expect(await world.billed(tenant, yesterday)).toBe('1');
  });

  it('imports each hour again once it works', async () => {
    world.providers.openai.publish(yesterday, [charge]);
    const source = await world.create(tenant);
    interrupt();
    await runsFor(2 * HOUR_MS);
    world.providers.openai.state.instead = null;

    await runsFor(6 * HOUR_MS);

    const imported = await world.read(tenant, source);
    expect(imported).toMatchObject({ status: 'active', last_error: null });
    const last = Date.parse(String(imported.last_success_at));
    expect(Date.parse(String(imported.next_import_at)) - last).toBe(55 * MINUTE_MS);
    expect(await world.billed(tenant, yesterday)).toBe('1');
  });

  it('is forgotten with a new credential', async () => {
    const source = await world.create(tenant);
    interrupt();
    await runsFor(2 * HOUR_MS);
    world.providers.openai.state.instead = null;

    await world.call('updateBillSource', {
      tenant,
      id: source.id,
      body: { credential: 'an-admin-key-of-the-provider' },
    });
    await run();

    expect(await world.read(tenant, source)).toMatchObject({ status: 'active', last_error: null });
  });
});
