import { CreateTableCommand, PutItemCommand, paginateScan, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { dueDays } from '../../../functions/ledger/archive/closing/dueDays.ts';
import { isKeptByRestore } from '../../../functions/ledger/erasure/permanentRows.ts';
import { ledgerWriter } from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { periodVersionReader } from '../../../functions/ledger/rollups/periodVersions.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { tables } from '../../../schemas/platform/tables.ts';
import { restoreRows } from '../../../tools/operator/restore/restoreRows.ts';
import type { Row } from '../../../tools/operator/restore/tableRows.ts';
import { unarchivedRows } from '../../../tools/operator/restore/unarchivedRows.ts';
import { anEvent, noFactors } from '../../attribution/engine/events.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant, type TestRecord, ulidOfRecord } from '../records/ledgerFixture.ts';
import { groupsInLedger, groupsInRollups, minuteOf } from '../rollups/rollupFixture.ts';
import { CLOSING, DAY, MARCH, recordsOfDay, startArchive } from './archiveFixture.ts';
import { expireRows } from './expireRows.ts';

const live = await startTables();
afterAll(() => live.stop());

const PERIOD = { from: MARCH, to: MARCH + DAY_MS };
/** The nights that are played: around each border, and until after the rows have expired. */
const NIGHTS = [3, 4, 20, 43, 44, 45, 46, 57, 58, 60];

type RestoredTable = 'ledger' | 'rollups';
const writer = ledgerWriter('ledger', () => 0);
const importCalls = async (
  tenant: Tenant,
  records: readonly TestRecord[],
  {
    cost,
    owner,
    isWarm = false,
  }: { readonly cost: string; readonly owner: string; readonly isWarm?: boolean },
): Promise<void> => {
  for (const { eventId, occurredAt, ...rest } of records) {
    const record = ulidOfRecord(tenant, { eventId, occurredAt, ...rest });
    const event = anEvent({ event_id: eventId, estimated_cost_usd: cost, attributed_identity: owner });
    const metadata = { occurredAt, receivedAt: occurredAt + 1_000, residency: null, record };
    // A warm worker remembers that it has opened the month.
    if (!isWarm) await writer.openMonth(tenant.tenant_id, '2026-03', 0);
    await writer.add(
      recordPartitionOf(tenant, record),
      record,
      attribute(event, metadata, tenant, noFactors),
    );
  }
};

const spendOf = (groups: readonly RollupGroup[]): Record<string, string> =>
  Object.fromEntries(
    groups
      .filter(({ figures }) => figures.invocations > 0)
      .map(({ dimensions, figures }) => [
        `${dimensions.owner}`,
        `${figures.cost_usd.central} in ${figures.invocations}`,
      ]),
  );

/** A copy of a table as it is at this moment, like that of a point-in-time recovery. */
const copyTable = async (table: RestoredTable, copy: string): Promise<void> => {
  const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });
  await live.client.send(
    new CreateTableCommand({
      TableName: copy,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    }),
  );
  for await (const { Items = [] } of paginateScan({ client: live.client }, { TableName: table })) {
    for (const Item of Items) await live.client.send(new PutItemCommand({ TableName: copy, Item }));
  }
};

const restoreExactly = (tenant: Tenant, table: RestoredTable, copy: string, now: number) =>
  restoreRows(
    tables[table],
    { live: table, copy },
    {
      mode: 'exact',
      isDryRun: false,
      now: Math.floor(now / 1_000),
      isSelected: ({ pk, sk }) =>
        (pk?.S ?? '').startsWith(`${tenant.tenant_id}#`) &&
        sk !== undefined &&
        !isKeptByRestore(table, pk?.S ?? ''),
      onChange: () => undefined,
    },
  );

describe('an exact restore after a wrong import that was closed into a file', () => {
  const before = recordsOfDay(1);
  const [wrong, other] = [recordsOfDay(4).slice(1), recordsOfDay(8).slice(5)];

  it.each([
    ['and the same calls with the right cost', wrong, { kept: '5 in 1', right: '3 in 3' }],
    ['and other calls', other, { kept: '5 in 1', right: '3 in 3' }],
    ['and nothing', [], { kept: '5 in 1' }],
  ])('%s: lists, reports and files agree until day 60', async (name, corrected, expected) => {
    let now = CLOSING;
    const archive = startArchive({ now: () => now });
    const tenant = newTenant();
    const copy = `copy-${name.replaceAll(' ', '-')}`;
    const sum = (records: readonly TestRecord[]) =>
      archive.compute(
        tenant,
        records.map(({ occurredAt }) => minuteOf(occurredAt)),
      );
    await importCalls(tenant, before, { cost: '5', owner: 'kept' });
    await copyTable('ledger', copy);
    await importCalls(tenant, wrong, { cost: '100', owner: 'wrong' });
    await sum([...before, ...wrong]);
    await archive.close(tenant);
    await restoreExactly(tenant, 'ledger', copy, now);
    // The restore has every changed minute summed again.
    await sum([...before, ...wrong]);
    await importCalls(tenant, corrected, { cost: '1', owner: 'right' });
    await sum(corrected);

    for (const night of NIGHTS) {
      now = MARCH + night * DAY_MS + 4 * HOUR_MS;
      const stored = await periodVersionReader('rollups').read(tenant.tenant_id, { grain: 'day', ...PERIOD });
      const files = await archive.directory.list(tenant.tenant_id, DAY);
      for (const _ of dueDays(stored, files, new Set(['2026-03']), PERIOD, now)) await archive.close(tenant);
      await expireRows(live.client, tenant, now);

      expect(spendOf(await groupsInRollups(tenant, PERIOD)), `report, day ${night}`).toEqual(expected);
      expect(
        spendOf(await groupsInLedger(archive.ledger, tenant, PERIOD, now)),
        `list, day ${night}`,
      ).toEqual(expected);
    }
    const { Count } = await live.client.send(
      new ScanCommand({
        TableName: 'ledger',
        Select: 'COUNT',
        FilterExpression: 'begins_with(pk, :tenant) AND attribute_exists(detail)',
        ExpressionAttributeValues: { ':tenant': { S: `${tenant.tenant_id}#2026` } },
      }),
    );
    expect(Count).toBe(0);

    const [first] = before;
    if (first === undefined) throw new Error('there is a record');
    const late = {
      ...first,
      eventId: '00000000-0000-4000-8000-00000000ffff',
      occurredAt: first.occurredAt + 5,
    };
    await importCalls(tenant, [late], { cost: '1', owner: 'late' });
    await sum([late]);
    expect(spendOf(await groupsInRollups(tenant, PERIOD)), 'report with a late call').toEqual({
      ...expected,
      late: '1 in 1',
    });
  });
});

it('leaves warm workers what they have written once, in an exact restore to a time before their month and hour', async () => {
  const NOW = MARCH + 12 * HOUR_MS + 600_000;
  const archive = startArchive({ now: () => NOW });
  const tenant = newTenant();
  const calls = recordsOfDay(2).map((record) => ({ ...record, occurredAt: NOW - 120_000 }));
  const sum = () => archive.compute(tenant, [minuteOf(NOW - 120_000)]);
  const restored = ['ledger', 'rollups'] as const;
  for (const table of restored) await copyTable(table, `${table}-before-all`);
  await importCalls(tenant, calls.slice(0, 1), { cost: '100', owner: 'wrong' });
  await sum();

  for (const table of restored) await restoreExactly(tenant, table, `${table}-before-all`, NOW);
  await importCalls(tenant, calls.slice(1), { cost: '1', owner: 'right', isWarm: true });
  await sum();

  const expected = { right: '1 in 1' };
  expect(spendOf(await groupsInLedger(archive.ledger, tenant, PERIOD, NOW))).toEqual(expected);
  expect(spendOf(await groupsInRollups(tenant, PERIOD))).toEqual(expected);
});

it('restores rows that have expired since the copy, if no file holds them', async () => {
  let now = CLOSING;
  const archive = startArchive({ now: () => now });
  const tenant = newTenant();
  const [closed, late] = [recordsOfDay(2).slice(0, 1), recordsOfDay(2).slice(1)];
  const sum = () =>
    archive.compute(
      tenant,
      recordsOfDay(2).map(({ occurredAt }) => minuteOf(occurredAt)),
    );
  await importCalls(tenant, closed, { cost: '5', owner: 'closed' });
  await sum();
  await archive.close(tenant);
  await importCalls(tenant, late, { cost: '7', owner: 'late' });
  await copyTable('ledger', 'copy-of-late');
  now = MARCH + 60 * DAY_MS;
  // The table is damaged.
  await expireRows(live.client, tenant, Number.MAX_SAFE_INTEGER);

  const request = {
    mode: 'missing' as const,
    isDryRun: false,
    now: Math.floor(now / 1_000),
    keepExpired: unarchivedRows(archive.archived, now),
    isSelected: ({ pk }: Row) => (pk?.S ?? '').startsWith(`${tenant.tenant_id}#`),
    onChange: () => undefined,
  };
  const tableNames = { live: 'ledger', copy: 'copy-of-late' };
  const counts = await restoreRows(tables.ledger, tableNames, request);
  await expireRows(live.client, tenant, now);

  expect(counts.missing).toBe(1);
  expect(spendOf(await groupsInLedger(archive.ledger, tenant, PERIOD, now))).toEqual({
    closed: '5 in 1',
    late: '7 in 1',
  });
  expect(await restoreRows(tables.ledger, tableNames, request)).toMatchObject({ missing: 0, changed: 0 });
});
