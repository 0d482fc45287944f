import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../../../functions/platform/tenancy/tenant.ts';
import type { BillSource } from '../../../../../schemas/chargeback/billSources.ts';
import { newTenant } from '../../../../support/tenants.ts';
import fixture from '../fixtures/cur-2.0-bedrock.json' with { type: 'json' };
import { HOUR_MS, IMPORT_ROLE, NOW, type SourceHarness, startSourceHarness } from '../sourceHarness.ts';
import { aRow } from './curFile.ts';
import { DATA_EXPORT, LOCATION, ROLE } from './fakeAws.ts';

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

/** Shortly before the test clock begins, on 10 May 2026 at noon. */
const THIS_MORNING = '2026-05-10T09:00:00Z';
const on = (day: string, cost: number) =>
  aRow({ line_item_usage_start_date: `${day}T00:00:00Z`, line_item_unblended_cost: cost });

/** A source whose role trusts it. */
const aSource = async (of = tenant, members: object = {}): Promise<BillSource> => {
  const source = await world.create(of, {
    provider: 'aws',
    name: 'AWS',
    data_export: DATA_EXPORT,
    ...members,
  });
  world.aws.trust(source.data_export?.external_id ?? '');
  return source;
};
const runLater = async (milliseconds = HOUR_MS): Promise<void> => {
  world.time.now += milliseconds;
  world.aws.requests.length = 0;
  await world.run(tenant);
};
const filesRead = () => new Set(world.aws.requests.filter((key) => key.endsWith('.parquet'))).size;

describe('a bill source of AWS', () => {
  it('shows what the trust policy of its role must name, and stores no credential', async () => {
    const source = await aSource();

    expect(source.data_export).toEqual({
      ...DATA_EXPORT,
      external_id: source.id,
      trusted_role_arn: IMPORT_ROLE,
    });
    expect(await world.stored(tenant)).toMatchObject([{ sealed_credential: '' }]);
  });

  it.each([
    ['a key', { credential: 'an-admin-key-of-the-provider', data_export: DATA_EXPORT }, '/credential'],
    ['no export', {}, '/data_export'],
    [
      'a role of another name',
      { data_export: { ...DATA_EXPORT, role_arn: 'arn:aws:iam::111122223333:role/admin' } },
      '/data_export/role_arn',
    ],
    [
      'a role with a path',
      { data_export: { ...DATA_EXPORT, role_arn: 'arn:aws:iam::111122223333:role/x/attribution-bills-a' } },
      '/data_export/role_arn',
    ],
    [
      'a host in place of a bucket',
      { data_export: { ...DATA_EXPORT, location: 's3://internal.example.com/a/b' } },
      '/data_export/location',
    ],
    [
      'an access point',
      { data_export: { ...DATA_EXPORT, location: 's3://point-123456789012-s3alias/a' } },
      '/data_export/location',
    ],
    [
      'a path that leaves its folder',
      { data_export: { ...DATA_EXPORT, location: 's3://bucket/a/../b' } },
      '/data_export/location',
    ],
    [
      'a region that is a host',
      { data_export: { ...DATA_EXPORT, region: 'us-east-1.example.com/' } },
      '/data_export/region',
    ],
    [
      'an external id of its own',
      { data_export: { ...DATA_EXPORT, external_id: 'chosen' } },
      '/data_export/external_id',
    ],
  ])('is refused with %s', async (_, members, pointer) => {
    const body = { provider: 'aws', name: 'AWS', ...members };

    const answer = await world.call('createBillSource', { tenant, body });

    expect([answer.status, answer.body['errors']]).toMatchObject([422, [{ pointer }]]);
  });

  it('cannot be changed to a key, and one of OpenAI not to an export', async () => {
    const { id } = await aSource();
    const other = await world.create(tenant);

    const changes = [
      await world.call('updateBillSource', { tenant, id, body: { credential: 'an-admin-key' } }),
      await world.call('updateBillSource', { tenant, id: other.id, body: { data_export: DATA_EXPORT } }),
    ];

    expect(changes.map(({ status }) => status)).toEqual([422, 422]);
  });
});

describe('an import from a data export', () => {
  it('reads the charges of Amazon Bedrock with models, tokens and tiers, and nothing else', async () => {
    world.aws.deliver('2026-05', [fixture.slice(0, 5), fixture.slice(5)], { at: THIS_MORNING });
    const source = await aSource();

    await world.run(tenant);
    const days = await world.rows(tenant, '2026-05-01', '2026-05-08');
    const rows = days.flatMap(({ day, model, rows: ofModel }) =>
      Object.values(ofModel).map(({ cost, usage, tokens, tier }) => [
        day.slice(8),
        model,
        cost,
        usage,
        tokens?.count,
        tier,
      ]),
    );

    expect(rows.toSorted()).toEqual([
      ['01', null, '0.87', false, undefined, undefined],
      ['01', 'anthropic-claude-sonnet-4-6', '-2.5', false, undefined, undefined],
      ['08', null, '0.0018', true, undefined, undefined],
      ['08', 'amazon-nova-2-lite', '0.135', true, 900_000, 'flex'],
      ['08', 'anthropic-claude-opus-4-6', '1.25', true, 250_000, undefined],
      ['08', 'anthropic-claude-sonnet-4-6', '5.529351', true, 1_843_117, undefined],
      ['08', 'anthropic-claude-sonnet-4-6', '6.0375', true, 402_500, undefined],
    ]);
    expect(days.every(({ provider }) => provider === 'aws')).toBe(true);
    expect(await world.read(tenant, source)).toMatchObject({
      status: 'active',
      imported_until: '2026-05-10T00:00:00.000Z',
      published_until: '2026-05-09T00:00:00.000Z',
    });
  });

  it('reads a small file as a whole from a server that refuses to read more from its end than it has', async () => {
    world.aws.state.refusesLongSuffix = true;
    world.aws.deliver('2026-05', [[aRow()]], { at: THIS_MORNING });
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ status: 'active', last_error: null });
    expect(await world.rows(tenant, '2026-05-09')).toHaveLength(1);
  });

  it('adds the hours and resources of a day exactly, also those whose sum as floats has an error', async () => {
    const hours = [0.1, 0.2, 1e-7, 5.4e-13].map((cost, hour) =>
      aRow({
        line_item_usage_start_date: `2026-05-09T0${hour}:00:00Z`,
        line_item_unblended_cost: cost,
        line_item_usage_amount: 0.1,
      }),
    );
    world.aws.deliver('2026-05', [hours], { at: THIS_MORNING });
    await aSource();

    await world.run(tenant);
    const [day] = await world.rows(tenant, '2026-05-09');

    expect(day?.rows ?? []).toMatchObject([
      { cost: '0.30000010000054', tokens: { kind: 'input', count: 400 } },
    ]);
  });

  it('is the bill of the payer that the export names, whatever the source calls it', async () => {
    const row = { ...on('2026-05-09', 3), bill_payer_account_id: '123456789012' };
    world.aws.deliver('2026-05', [[row]], { at: THIS_MORNING });
    const first = await aSource(tenant, { account: 'payer' });
    await world.run(tenant);
    await world.call('deleteBillSource', { tenant, id: first.id });
    await aSource(tenant, { account: 'production' });

    await runLater();

    expect(await world.billed(tenant, '2026-05-09')).toBe('3');
    expect(await world.deliveries(tenant)).toMatchObject([
      { provider: 'aws', account: '123456789012', billed_usd: '3' },
    ]);
  });

  it('leaves the day on which the export was delivered to the next delivery', async () => {
    world.aws.deliver('2026-05', [[on('2026-05-08', 1), on('2026-05-09', 2)]], {
      at: '2026-05-09T20:00:00Z',
    });
    const source = await aSource();
    await world.run(tenant);

    const early = await world.billed(tenant, '2026-05-08', '2026-05-09');
    world.aws.deliver('2026-05', [[on('2026-05-08', 1), on('2026-05-09', 3)]], {
      at: '2026-05-10T12:30:00Z',
    });
    await runLater();

    expect([early, await world.billed(tenant, '2026-05-08', '2026-05-09')]).toEqual(['1', '4']);
    expect((await world.read(tenant, source)).imported_until).toBe('2026-05-10T00:00:00.000Z');
  });

  it('reads only manifests while AWS has delivered nothing new', async () => {
    world.aws.deliver('2026-05', [[on('2026-05-09', 1)]], { at: THIS_MORNING });
    await aSource();
    await world.run(tenant);

    await runLater();

    expect([filesRead(), world.aws.requests.length]).toEqual([0, 2]);
  });

  it('replaces the whole month with a new delivery, and makes withdrawn charges zero', async () => {
    world.aws.deliver('2026-05', [[on('2026-05-01', 1), on('2026-05-09', 2)]], { at: THIS_MORNING });
    await aSource();
    await world.run(tenant);
    world.aws.deliver('2026-05', [[on('2026-05-01', 0.5)]], { at: '2026-05-10T12:40:00Z' });

    await runLater();

    expect(await world.billed(tenant, '2026-05-01', '2026-05-09')).toBe('0.5');
  });

  it('reads the month before as long as AWS changes it, from 31 days before the source', async () => {
    world.aws.deliver('2026-04', [[on('2026-04-08', 100), on('2026-04-09', 1), on('2026-04-30', 2)]], {
      at: '2026-05-03T00:00:00Z',
    });
    world.aws.deliver('2026-05', [[on('2026-05-09', 4)]], { at: THIS_MORNING });
    await aSource();
    await world.run(tenant);
    const first = await world.billed(tenant, '2026-04-08', '2026-04-09', '2026-04-30', '2026-05-09');
    world.aws.deliver('2026-04', [[on('2026-04-30', 3)]], { at: '2026-05-10T12:30:00Z' });

    await runLater();

    expect(first).toBe('7');
    expect(await world.billed(tenant, '2026-04-09', '2026-04-30', '2026-05-09')).toBe('7');
    expect(filesRead()).toBe(1);
  });

  it('counts a correction of an earlier month in the month that bills it', async () => {
    world.aws.deliver('2026-05', [[on('2026-03-07', -4), on('2026-05-01', 1)]], { at: THIS_MORNING });
    await aSource();

    await world.run(tenant);

    expect(await world.billed(tenant, '2026-03-07', '2026-05-01')).toBe('-3');
  });

  it('tries again later when a file belongs to a delivery that is not complete', async () => {
    world.aws.deliver('2026-05', [[on('2026-05-09', 1)]], { at: THIS_MORNING });
    const [key = ''] = [...world.aws.objects.keys()].filter((name) => name.endsWith('.parquet'));
    const file = world.aws.objects.get(key);
    world.aws.objects.set(key, { body: file?.body ?? new Uint8Array(), at: NOW });
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({
      last_error: 'unavailable',
      imported_until: null,
    });
  });

  it('tries again later when a file changes while it is read', async () => {
    const many = Array.from({ length: 40_000 }, (_, index) =>
      aRow({ line_item_usage_account_id: String(index), line_item_unblended_cost: index / 7 }),
    );
    world.aws.deliver('2026-05', [many], { at: THIS_MORNING, file: { rowGroupSize: 20_000 } });
    world.aws.state.instantly = (key) => {
      const object = world.aws.objects.get(key);
      if (key.endsWith('.parquet') && object) {
        world.aws.objects.set(key, { ...object, at: object.at - 1_000 });
      }
    };
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'unavailable' });
  });

  it('reads exports without a query, whose products are maps', async () => {
    world.aws.deliver('2026-05', [fixture], { at: THIS_MORNING, file: { product: 'map' } });
    await aSource();

    await world.run(tenant);

    expect(await world.billed(tenant, '2026-05-08')).toBe('12.953651');
  });
});

describe('an outage over the end of months', () => {
  const daysOf = (month: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  const deliver = (month: string, count: number, at: string, cost = 1) =>
    world.aws.deliver(month, [daysOf(month, count).map((day) => on(day, cost))], { at });

  it.each<[string, (source: BillSource, isOver: boolean) => Promise<unknown>]>([
    [
      'of its role',
      async (_source, isOver) => {
        world.aws.state.instead = isOver ? null : () => ({ status: 403, headers: {}, body: Buffer.from('') });
      },
    ],
    [
      'in which it is paused',
      ({ id }, isOver) => world.call('updateBillSource', { tenant, id, body: { paused: !isOver } }),
    ],
  ])('%s leaves no day out', async (_, setOutage) => {
    deliver('2026-05', 9, '2026-05-10T09:00:00Z');
    const source = await aSource();
    await world.run(tenant);
    await setOutage(source, false);
    for (let day = 0; day < 54; day += 9) await runLater(9 * 24 * HOUR_MS);
    await setOutage(source, true);
    deliver('2026-05', 31, '2026-06-14T09:00:00Z');
    deliver('2026-06', 30, '2026-07-03T09:00:00Z');
    deliver('2026-07', 2, '2026-07-03T09:00:00Z');
    for (let hour = 0; hour < 4; hour += 1) await runLater(6 * HOUR_MS);

    expect(await world.billed(tenant, ...daysOf('2026-05', 31))).toBe('31');
    expect(await world.billed(tenant, ...daysOf('2026-06', 30))).toBe('30');
    expect(await world.billed(tenant, ...daysOf('2026-07', 2))).toBe('2');
    expect(await world.read(tenant, source)).toMatchObject({ status: 'active', unread_days: [] });
  });

  it('finds the last delivery of a month that came while the role was broken', async () => {
    deliver('2026-05', 9, '2026-05-10T09:00:00Z');
    await aSource();
    await world.run(tenant);
    deliver('2026-05', 31, '2026-06-02T09:00:00Z');
    deliver('2026-06', 1, '2026-06-02T09:00:00Z');
    await runLater(24 * 24 * HOUR_MS);
    world.aws.state.instead = () => ({ status: 403, headers: {}, body: Buffer.from('') });
    for (let day = 0; day < 36; day += 9) await runLater(9 * 24 * HOUR_MS);
    world.aws.state.instead = null;
    deliver('2026-05', 31, '2026-06-15T09:00:00Z', 2);
    deliver('2026-06', 30, '2026-07-09T09:00:00Z');
    deliver('2026-07', 8, '2026-07-09T09:00:00Z');
    for (let hour = 0; hour < 4; hour += 1) await runLater(6 * HOUR_MS);

    expect(await world.billed(tenant, ...daysOf('2026-05', 31))).toBe('62');
  });

  it('reads a month again only until AWS has stopped changing it', async () => {
    deliver('2026-05', 9, '2026-05-10T09:00:00Z');
    await aSource();
    await world.run(tenant);
    deliver('2026-05', 31, '2026-06-14T09:00:00Z');
    deliver('2026-06', 30, '2026-07-03T09:00:00Z');
    deliver('2026-07', 2, '2026-07-03T09:00:00Z');
    for (let day = 0; day < 55; day += 5) await runLater(5 * 24 * HOUR_MS);
    deliver('2026-07', 5, '2026-07-06T09:00:00Z');
    await runLater(3 * 24 * HOUR_MS);
    await runLater();

    expect(world.aws.requests.filter((key) => key.includes('BILLING_PERIOD=2026-05'))).toEqual([]);
  });
});

describe('the role of a customer', () => {
  it('is refused to a source of another tenant, because its external id is another one', async () => {
    world.aws.deliver('2026-05', [[on('2026-05-09', 1)]], { at: THIS_MORNING });
    await aSource();
    const attacker = newTenant();
    const stolen = await world.create(attacker, { provider: 'aws', name: 'AWS', data_export: DATA_EXPORT });

    await world.run(attacker);

    expect(await world.read(attacker, stolen)).toMatchObject({ status: 'failing', last_error: 'refused' });
    expect(await world.billed(attacker, '2026-05-09')).toBe('0');
    expect(world.aws.requests).toEqual([]);
  });

  it('reads nothing of another bucket than its policy names', async () => {
    const location = 's3://bucket-of-somebody/attribution/bedrock';
    world.aws.deliver('2026-05', [[on('2026-05-09', 1)]], { at: THIS_MORNING, location });
    const source = await aSource(tenant, { data_export: { ...DATA_EXPORT, location } });

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'refused' });
  });

  it('is used again at once when the export of the source is replaced', async () => {
    const source = await aSource(tenant, { data_export: { ...DATA_EXPORT, location: `${LOCATION}-typo` } });
    await world.run(tenant);
    const missing = await world.read(tenant, source);
    world.aws.deliver('2026-05', [[on('2026-05-09', 1)]], { at: THIS_MORNING });

    await world.call('updateBillSource', { tenant, id: source.id, body: { data_export: DATA_EXPORT } });
    await world.run(tenant);

    expect(missing).toMatchObject({ status: 'failing', last_error: 'not_found' });
    expect(await world.read(tenant, source)).toMatchObject({
      status: 'active',
      data_export: { role_arn: ROLE },
    });
    expect(await world.billed(tenant, '2026-05-09')).toBe('1');
  });
});

describe('an export that cannot be imported', () => {
  const text = (body: string) => ({ body: Buffer.from(body), at: Date.parse(THIS_MORNING) });
  const manifestOf = (dataFiles: unknown) => text(JSON.stringify({ dataFiles }));
  const manifest = 'example-bills/attribution/bedrock/metadata/BILLING_PERIOD=2026-05/bedrock-Manifest.json';

  it.each([
    ['a manifest that is no JSON', text('<html>')],
    ['a manifest of another form', manifestOf('all')],
    [
      'files of another bucket',
      manifestOf(['s3://other/attribution/bedrock/data/BILLING_PERIOD=2026-05/a.parquet']),
    ],
    ['files outside of its data', manifestOf(['s3://example-bills/secret.parquet'])],
    [
      'files of text',
      manifestOf(['s3://example-bills/attribution/bedrock/data/BILLING_PERIOD=2026-05/a.csv.gz']),
    ],
  ])('is unreadable with %s', async (_, object) => {
    world.aws.objects.set(manifest, object);
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'unreadable' });
    expect(filesRead()).toBe(0);
  });

  it.each([
    ['unreadable', 'no currency', { line_item_currency_code: '' }],
    ['unreadable', 'an amount that is no number', { line_item_unblended_cost: Number.NaN }],
    ['unreadable', 'an amount without bounds', { line_item_unblended_cost: 1e300 }],
    ['other_currency', 'another currency', { line_item_currency_code: 'CNY' }],
  ])('is %s with %s', async (error, _, changes) => {
    world.aws.deliver('2026-05', [[aRow(changes)]], { at: THIS_MORNING });
    const source = await aSource();

    await world.run(tenant);

    const { last_error, unread_days } = await world.read(tenant, source);
    expect([last_error, unread_days.length]).toEqual([error, 9]);
  });

  it('is unreadable when it lacks a column', async () => {
    const columns = Object.keys(aRow()).filter((name) => name !== 'pricing_unit');
    world.aws.deliver('2026-05', [[aRow()]], { at: THIS_MORNING, file: { columns } });
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'unreadable' });
  });

  it('is too large when its files cannot be read in the time of a run', async () => {
    world.aws.deliver(
      '2026-05',
      Array.from({ length: 6 }, () => [aRow()]),
      { at: THIS_MORNING },
    );
    world.time.perRequest = 40_000;
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: 'too_large' });
  });

  it.each([
    [429, 'rate_limited'],
    [503, 'unavailable'],
    [403, 'refused'],
    [404, 'not_found'],
  ])('reports the status %i of S3 as %s, without its text', async (status, error) => {
    world.aws.state.instead = () => ({ status, headers: {}, body: Buffer.from('text of AWS') });
    const source = await aSource();

    await world.run(tenant);

    expect(await world.read(tenant, source)).toMatchObject({ last_error: error });
    expect(await world.live.everything('billSources', 'outbox')).not.toContain('text of AWS');
    expect(await world.live.everything('billSources', 'outbox')).not.toContain('session-token');
  });
});

it.each(
  [1, 3, 5, 7, 9].flatMap((write) => (['before', 'after'] as const).map((moment) => ({ write, moment }))),
)('charges every row once when a run stops at %o', async (fault) => {
  world.aws.deliver('2026-05', [[on('2026-05-01', 1), on('2026-05-02', 2), on('2026-05-09', 4)]], {
    at: THIS_MORNING,
  });
  await aSource();
  void faults.arm({ ...fault, kind: 'dies' });
  await world.run(tenant).catch(() => undefined);
  faults.restart();

  await runLater();
  await runLater();

  expect(await world.billed(tenant, '2026-05-01', '2026-05-02', '2026-05-09')).toBe('7');
});
