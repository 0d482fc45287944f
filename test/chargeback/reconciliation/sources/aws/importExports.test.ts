import { describe, expect, it } from 'vitest';
import { IMPORT_ROLE, NOW } from '../sourceHarness.ts';
import { tenant, useSources, world } from '../sourceWorld.ts';
import fixture from './cur-2.0-bedrock.json' with { type: 'json' };
import { aRow } from './curFile.ts';
import { aSource, filesRead, on, runLater, THIS_MORNING } from './exportWorld.ts';
import { DATA_EXPORT } from './fakeAws.ts';

useSources();

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
