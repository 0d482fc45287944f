import { describe, expect, it } from 'vitest';
import type { BillSource } from '../../../../../schemas/chargeback/billSources.ts';
import { newTenant } from '../../../../support/tenants.ts';
import { HOUR_MS } from '../sourceHarness.ts';
import { faults, tenant, useSources, world } from '../sourceWorld.ts';
import { aRow } from './curFile.ts';
import { aSource, filesRead, on, runLater, THIS_MORNING } from './exportWorld.ts';
import { DATA_EXPORT, LOCATION, ROLE } from './fakeAws.ts';

useSources();

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
    ['unreadable', 9, 'no currency', { line_item_currency_code: '' }],
    ['unreadable', 9, 'an amount that is no number', { line_item_unblended_cost: Number.NaN }],
    ['unreadable', 9, 'an amount without bounds', { line_item_unblended_cost: 1e300 }],
    ['other_currency', 1, 'another currency, which keeps the other days', { line_item_currency_code: 'CNY' }],
  ])('is %s on %d days with %s', async (error, days, _, changes) => {
    world.aws.deliver('2026-05', [[aRow(changes)]], { at: THIS_MORNING });
    const source = await aSource();

    await world.run(tenant);

    const { last_error, unread_days } = await world.read(tenant, source);
    expect([last_error, unread_days.length]).toEqual([error, days]);
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
