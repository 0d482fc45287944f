import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { Fault } from '../../../identity/credentials/faultInjection.ts';
import {
  DAY_MS,
  dateBefore,
  HOUR_MS,
  KEY,
  MINUTE_MS,
  NOW,
  type SourceHarness,
  startSourceHarness,
} from './sourceHarness.ts';

let world: SourceHarness;
let faults: SourceHarness['faults'];
let tenant: Tenant;

beforeAll(async () => {
  world = await startSourceHarness();
  ({ faults } = world);
});
afterAll(() => world.stop());
beforeEach(() => {
  tenant = world.newTest();
});
afterEach(() => vi.restoreAllMocks());

const input = (amount: string) => ({ amount, item: 'gpt-4o-2024-08-06, input', account: 'proj_1' });
const output = (amount: string) => ({ amount, item: 'gpt-4o-2024-08-06, output', account: 'proj_1' });
const yesterday = dateBefore(1);
/** Days that a first import reads. */
const DAYS = 31;
const runLater = async (milliseconds = HOUR_MS): Promise<void> => {
  world.time.now += milliseconds;
  await world.run(tenant);
};

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
