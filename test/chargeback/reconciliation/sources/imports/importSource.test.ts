import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, dateBefore, HOUR_MS, KEY, MINUTE_MS, NOW } from '../sourceHarness.ts';
import { input, output, runLater, tenant, useSources, world, yesterday } from '../sourceWorld.ts';

useSources();

describe('the first import of a source', () => {
  it('reads 31 days up to yesterday, with all pages, and nothing of today', async () => {
    const { openai } = world.providers;
    openai.state.pageSize = 2;
    openai.publish(yesterday, [input('0.1'), output('0.2'), { amount: '0.000000000001', item: 'Images' }]);
    openai.publish(dateBefore(31), [input('1')]);
    openai.publish(dateBefore(32), [input('1000')]);
    openai.publish(dateBefore(0), [input('1000')]);
    const source = await world.create(tenant);

    await world.run(tenant);

    expect(await world.billed(tenant, yesterday)).toBe('0.300000000001');
    expect(await world.billed(tenant, dateBefore(0), dateBefore(31), dateBefore(32))).toBe('1');
    expect(openai.requests).toHaveLength(32);
    expect(await world.read(tenant, source)).toMatchObject({
      status: 'active',
      last_error: null,
      last_success_at: new Date(NOW).toISOString(),
      imported_until: `${dateBefore(0)}T00:00:00.000Z`,
      published_until: `${dateBefore(0)}T00:00:00.000Z`,
      is_late: false,
    });
    expect(await world.watermark(tenant)).toEqual({ until: Date.parse(dateBefore(0)), at: NOW });
  });

  it('converts the cents of Anthropic to dollars', async () => {
    const model = 'claude-sonnet-4-20250514';
    world.providers.anthropic.publish(yesterday, [{ amount: '123.78912', item: 'Input', model }]);
    await world.create(tenant, { provider: 'anthropic' });

    await world.run(tenant);

    expect(await world.billed(tenant, yesterday)).toBe('1.2378912');
  });

  describe('at Anthropic', () => {
    const charge = { item: 'Input', model: 'claude-sonnet-4-20250514', account: 'wrkspc_1' };
    const isUsage = ({ pathname }: URL): boolean => pathname.includes('/usage_report/');
    const rows = async () =>
      (await world.rows(tenant, yesterday)).flatMap((day) =>
        day.rows.map(({ cost, tokens, tier }) => [cost, tokens?.count, tier]),
      );
    beforeEach(async () => {
      world.providers.anthropic.state.pageSize = 1;
      world.providers.anthropic.publish(yesterday, [
        { ...charge, amount: '300', quantity: 1_000_000 },
        { ...charge, amount: '75', quantity: 500_000, tier: 'batch' },
      ]);
      await world.create(tenant, { provider: 'anthropic' });
    });

    it('adds the tokens of the usage report, from all pages, for days with charges only', async () => {
      await world.run(tenant);

      expect((await rows()).toSorted()).toEqual([
        ['0.75', 500_000, 'batch'],
        ['3', 1_000_000, undefined],
      ]);
      expect(world.providers.anthropic.requests.filter(isUsage)).toHaveLength(2);
    });

    it.each([403, 404, 200])(
      'imports the costs without tokens if the usage report answers %i',
      async (status) => {
        world.providers.anthropic.state.instead = (url) => (isUsage(url) ? { status, body: '{}' } : null);

        await world.run(tenant);

        expect((await rows()).toSorted()).toEqual([
          ['0.75', undefined, 'batch'],
          ['3', undefined, undefined],
        ]);
      },
    );

    it('tries the day again if the usage report is not available for a time', async () => {
      world.providers.anthropic.state.instead = (url) => (isUsage(url) ? { status: 503, body: '' } : null);
      await world.run(tenant);
      expect(await rows()).toEqual([]);

      world.providers.anthropic.state.instead = null;
      await runLater();

      expect((await rows()).map(([, count]) => count)).toEqual(expect.arrayContaining([1_000_000, 500_000]));
    });
  });
});

describe('a later import', () => {
  it('runs after an hour, reads seven days again, and replaces restated amounts', async () => {
    const { openai } = world.providers;
    openai.publish(yesterday, [input('1'), output('2')]);
    openai.publish(dateBefore(8), [input('1')]);
    await world.create(tenant);
    await world.run(tenant);
    openai.publish(yesterday, [input('1.5'), output('2')]);
    openai.publish(dateBefore(8), [input('7')]);
    openai.requests.length = 0;

    await runLater(45 * MINUTE_MS);
    const early = openai.requests.length;
    await runLater(15 * MINUTE_MS);

    expect([early, openai.requests.length]).toEqual([0, 7]);
    expect(await world.billed(tenant, yesterday)).toBe('3.5');
    expect(await world.billed(tenant, dateBefore(8))).toBe('1');
  });

  it('has one entry for each day in the list of bills, which a restatement replaces', async () => {
    const { openai } = world.providers;
    openai.publish(yesterday, [input('1'), output('2')]);
    openai.publish(dateBefore(2), [input('5')]);
    const { id } = await world.create(tenant, { account: 'research' });
    await world.run(tenant);
    const first = await world.deliveries(tenant);
    openai.publish(yesterday, [input('1.5')]);

    await runLater();
    const restated = await world.deliveries(tenant);
    await runLater();

    const of = { provider: 'openai', account: 'research', imported_by: null, source_id: id };
    expect(first).toMatchObject([
      { ...of, from: yesterday, to: dateBefore(0), rows: 2, billed_usd: '3' },
      { ...of, from: dateBefore(2), to: yesterday, rows: 1, billed_usd: '5' },
    ]);
    expect(restated).toEqual([
      {
        ...first[0],
        rows: 1,
        billed_usd: '1.5',
        imported_at: new Date(NOW + HOUR_MS).toISOString(),
      },
      first[1],
    ]);
    expect(await world.deliveries(tenant)).toEqual(restated);
  });

  it('writes no bill when nothing was restated', async () => {
    world.providers.openai.publish(yesterday, [input('1')]);
    await world.create(tenant);
    await world.run(tenant);
    const before = [await world.rows(tenant, yesterday), await world.watermark(tenant)];

    await runLater();

    expect([await world.rows(tenant, yesterday), await world.watermark(tenant)]).toEqual(before);
  });

  it('drops rows that the provider withdrew, also those that were sent for the day before', async () => {
    world.providers.openai.publish(yesterday, [input('1'), output('2')]);
    await world.create(tenant);
    await world.run(tenant);
    const row = {
      BilledCost: '40',
      BillingCurrency: 'USD',
      ServiceProviderName: 'OpenAI',
      ChargePeriodStart: `${yesterday}T00:00:00Z`,
      ChargePeriodEnd: `${yesterday}T01:00:00Z`,
      SkuId: 'gpt-4o',
    };
    world.time.now += MINUTE_MS;
    expect(await world.call('postBills', { tenant, body: { rows: [row] } })).toMatchObject({ status: 200 });
    const sent = await world.billed(tenant, yesterday);
    await runLater();
    const unchanged = await world.billed(tenant, yesterday);
    world.providers.openai.publish(yesterday, []);

    await runLater();

    expect([sent, unchanged, await world.billed(tenant, yesterday)]).toEqual(['43', '43', '0']);
  });

  it('leaves out a day that was taken back, until the provider restates it', async () => {
    world.providers.openai.publish(yesterday, [input('1')]);
    await world.create(tenant);
    await world.run(tenant);
    const [delivery] = await world.deliveries(tenant);
    await world.call('deleteBill', { tenant, id: delivery?.id });

    await runLater();
    const takenBack = await world.billed(tenant, yesterday);
    world.providers.openai.publish(yesterday, [input('2')]);
    await runLater();

    expect([takenBack, await world.billed(tenant, yesterday)]).toEqual(['0', '2']);
  });

  it('continues with the rows of a deleted source of the same account, without adding them', async () => {
    world.providers.openai.publish(yesterday, [input('1')]);
    const source = await world.create(tenant);
    await world.run(tenant);
    await world.call('deleteBillSource', { tenant, id: source.id });
    await world.create(tenant);

    await runLater();

    expect(await world.billed(tenant, yesterday)).toBe('1');
  });

  it('keeps the bills of two accounts of one provider apart', async () => {
    world.providers.openai.publish(yesterday, [input('1')]);
    await world.create(tenant, { account: 'production' });
    await world.create(tenant, { account: 'research' });

    await world.run(tenant);

    expect(await world.billed(tenant, yesterday)).toBe('2');
  });
});

describe('the bills of an account', () => {
  const days = [1, 2, 3].map(dateBefore);
  beforeEach(() => {
    for (const day of days) world.providers.openai.publish(day, [input('1')]);
  });
  const recreate = async (before: object, after: object): Promise<void> => {
    const first = await world.create(tenant, before);
    await world.run(tenant);
    await world.call('deleteBillSource', { tenant, id: first.id });
    await world.create(tenant, after);
    await runLater();
  };
  it.each([
    ['unchanged', {}, {}],
    ['with another name', { name: 'one' }, { name: 'other' }],
    ['and names its account', {}, { account: 'research' }],
    ['and names its account no longer', { account: 'research' }, {}],
  ])('are counted once when its source is deleted and created again %s', async (_, before, after) => {
    await recreate(before, after);
    expect(await world.billed(tenant, ...days)).toBe('3');

    // The same dollar under another line item, and a day without charges.
    world.providers.openai.publish(yesterday, [output('1')]);
    world.providers.openai.publish(dateBefore(2), []);
    await runLater();

    expect(await world.billed(tenant, ...days)).toBe('2');
  });

  it('stay when another account of the provider is created instead', async () => {
    await recreate({ account: 'research' }, { account: 'production' });

    expect(await world.billed(tenant, ...days)).toBe('6');
  });

  it.each(['openai', 'anthropic'] as const)(
    'are counted once when two sources of %s, or renamed ones, read the same organization',
    async (provider) => {
      const { state, publish } = world.providers[provider];
      state.organization = 'org-acme';
      const charge = { amount: provider === 'openai' ? '1' : '100', item: 'Images' };
      for (const day of days) publish(day, [charge]);
      const first = await world.create(tenant, { provider, account: 'production' });
      await world.create(tenant, { provider, account: 'research' });
      await world.run(tenant);
      const both = await world.billed(tenant, ...days);
      await world.call('deleteBillSource', { tenant, id: first.id });
      await world.create(tenant, { provider, account: 'org-acme' });
      publish(yesterday, []);
      await runLater();

      expect([both, await world.billed(tenant, ...days)]).toEqual(['3', '2']);
    },
  );

  it('are those of each organization that the provider reports', async () => {
    const { state } = world.providers.openai;
    state.organization = 'org-1';
    const source = await world.create(tenant);
    await world.run(tenant);
    state.organization = 'org-2';
    await world.call('updateBillSource', { tenant, id: source.id, body: { credential: KEY } });
    await world.run(tenant);

    expect(await world.billed(tenant, ...days)).toBe('6');
  });
});

describe('lateness', () => {
  it('begins when nothing is published 24 hours after the end of a day, and ends with the next charge', async () => {
    const { openai } = world.providers;
    openai.publish(yesterday, [input('1')]);
    const source = await world.create(tenant);
    await world.run(tenant);
    const today = Date.parse(dateBefore(0));

    world.time.now = today + 2 * DAY_MS;
    const before = await world.read(tenant, source);
    world.time.now += 1;
    const after = await world.read(tenant, source);
    openai.publish(dateBefore(0), [input('1')]);
    await world.run(tenant);

    expect([before.is_late, after.is_late]).toEqual([false, true]);
    expect((await world.read(tenant, source)).is_late).toBe(false);
  });
});
