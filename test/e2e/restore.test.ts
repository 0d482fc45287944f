import {
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { rowOwners } from '../../functions/ledger/erasure/rowOwner.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { isDerived, type TableName, tableNames, tables } from '../../schemas/platform/tables.ts';
import type { Deployment } from '../../tools/operator/deployment.ts';
import type { Backups } from '../../tools/operator/restore/backups.ts';
import { rebuildTable } from '../../tools/operator/restore/rebuildTable.ts';
import { restoreRows } from '../../tools/operator/restore/restoreRows.ts';
import { type RestoreRequest, restoreTable } from '../../tools/operator/restore/restoreTable.ts';
import type { Row } from '../../tools/operator/restore/tableRows.ts';
import { call, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { localClient } from '../support/localAws.ts';
import { deploymentOf } from '../support/localService.ts';
import { rowText } from '../support/rowText.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

/** Tables of work in progress. A running service changes them at any time, so they are not compared row by row. */
const TRANSIENT: readonly TableName[] = ['limits', 'counters', 'idempotency'];
const restored = tableNames.filter((name) => rowOwners[name] !== null && !TRANSIENT.includes(name));

let api: AdminInstance;
let client: DynamoDBClient;
let engines: ReturnType<typeof enginesOf>;
let deployment: Deployment;
beforeAll(async () => {
  api = await startAdminInstance();
  const { credentials } = api.instance;
  client = new DynamoDBClient(localClient(credentials.endpoints['dynamodb']));
  engines = enginesOf(credentials);
  deployment = await deploymentOf(api.instance);
});
afterAll(async () => {
  // A comparison with the ledger is repeated after five minutes. Later tests on the instance must not wait for it.
  await api?.instance.runtime.idle();
  await engines?.purge('QueueRollups');
  client?.destroy();
  engines?.close();
  await api?.stop();
});

const liveName = (table: TableName): string => api.instance.credentials.tables[table] ?? '';

/** The embedded engine has no point-in-time recovery: a backup is the rows that a test has read, written to a new table. */
const backupsOf = (rows: readonly Row[]): Backups => ({
  restore: async (table, copy) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
    await client.send(
      new CreateTableCommand({
        TableName: copy,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: Table?.KeySchema,
        AttributeDefinitions: Table?.AttributeDefinitions,
      }),
    );
    for (const Item of rows) await client.send(new PutItemCommand({ TableName: copy, Item }));
  },
  remove: async (copy) => {
    await client.send(new DeleteTableCommand({ TableName: copy }));
  },
});

let restores = 0;
/** Restores from these rows. Each restore has its own time, and so its own copy. */
const restore = async (
  rows: readonly Row[],
  request: Pick<RestoreRequest, 'table' | 'tenant'> & Partial<RestoreRequest>,
) => {
  restores += 1;
  const at = new Date(Date.UTC(2026, 0, 1) + restores * 1_000);
  const backups = backupsOf(rows);
  const whole: RestoreRequest = { at, mode: 'missing', isDryRun: false, ...request };
  const report = await restoreTable(deployment, backups, whole, () => new Date());
  await backups.remove(report.copy);
  return report;
};

const rebuild = (table: 'claims' | 'traces', tenant: Tenant, isDryRun = false) => {
  const tenants = async function* () {
    yield [tenant];
  };
  return rebuildTable(deployment, { table, tenants: tenants(), isDryRun }, Date.now);
};

const deleteRow = async (table: TableName, { pk, sk }: Row): Promise<void> => {
  if (pk === undefined) throw new Error('a row has a key');
  const Key = { pk, ...(sk !== undefined && 'sortKey' in tables[table] && { sk }) };
  await client.send(new DeleteItemCommand({ TableName: liveName(table), Key }));
};

/** Fails at the n-th change. */
const failAt = (count: number) => {
  let left = count;
  return (): void => {
    left -= 1;
    if (left === 0) throw new Error('killed');
  };
};

/** A tenant with a budget. */
const newTenantWithBudget = async (id: string) => {
  const created = await api.newTenant(id);
  const send = async (path: string, body: object): Promise<void> => {
    const answer = await call(api.baseUrl, path, { key: created.key, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await send('/api/v1/budgets', { name: 'Search', ceiling_usd: '1', period: 'month' });
  return { ...created, send };
};

/** A tenant that has used most of the service. */
const newUsedTenant = async (id: string) => {
  const created = await newTenantWithBudget(id);
  // The last one was called through a span without a record, and has one below it.
  const chain = {
    parent_span_id: 'f'.repeat(16),
    caller_span_id: '1'.repeat(16),
    covered_span_ids: ['e'.repeat(16)],
  };
  for (const [span, place] of [
    ['1', {}],
    ['2', {}],
    ['3', chain],
  ] as const)
    await created.send(
      '/api/v1/invocations',
      someEvent({ trace_id: 'a'.repeat(32), span_id: span.repeat(16), ...place }),
    );
  await api.instance.runtime.idle({ delayed: true });
  return created;
};

const rowsOf = async (table: TableName, { tenant }: { readonly tenant: Tenant }) => {
  const isOwned = rowOwners[table];
  return (await engines.rows(table)).filter((row) =>
    isOwned?.({ pk: row['pk']?.S ?? '', sk: row['sk']?.S, document: row['document']?.S }, tenant),
  );
};
/** The mark of a version that raised its event is not restored, so that the event is not raised again. */
const texts = (rows: readonly Row[]): string[] => rows.map(({ raised: _, ...row }) => rowText(row)).sort();

// About 5 s on a free machine: two scans of each table.
it('restores every row of every table that a tenant has lost', async () => {
  const lost = await newUsedTenant('restore-lost');
  const before = new Map<TableName, Row[]>();
  for (const table of restored) before.set(table, await rowsOf(table, lost));
  for (const [table, rows] of before) for (const row of rows) await deleteRow(table, row);
  expect((await call(api.baseUrl, '/v1/attribution', { key: lost.key })).status).toBe(401);

  for (const [table, rows] of before) {
    if (isDerived(table)) continue;
    const report = await restore(rows, { table, tenant: lost.tenant });
    expect(report, table).toMatchObject({ copied: rows.length, missing: rows.length, changed: 0 });
  }

  for (const table of ['claims', 'traces'] as const) {
    const { rows, missing } = await rebuild(table, lost.tenant);
    // Records lead to claims. Rows that only hold Idempotency-Keys live for 24 hours, and are not written again.
    const known = (before.get(table) ?? []).filter(
      (row) => table === 'traces' || row['record'] !== undefined,
    );
    expect(rows, table).toBeGreaterThanOrEqual(known.length);
    expect(missing, table).toBe(rows);
    // The spans of a trace that came together shared a row. Each gets rows of its own.
    if (table === 'traces') continue;
    const keys = (of: readonly Row[]) => of.map(({ pk, sk }) => `${pk?.S} ${sk?.S}`);
    expect(keys(await rowsOf(table, lost)), table).toEqual(expect.arrayContaining(keys(known)));
  }

  await api.instance.runtime.idle({ delayed: true });
  for (const [table, rows] of before) {
    if (isDerived(table)) continue;
    expect(texts(await rowsOf(table, lost)), table).toEqual(expect.arrayContaining(texts(rows)));
  }
  const list = await call(api.baseUrl, '/v1/attribution', { key: lost.key });
  expect(list.status).toBe(200);
  expect(list.body['data']).toHaveLength(3);
  const ofTrace = await call(api.baseUrl, `/v1/attribution?trace_id=${'a'.repeat(32)}`, { key: lost.key });
  expect(ofTrace.body['data']).toEqual(list.body['data']);
});

it('continues after an interruption', async () => {
  const used = await newTenantWithBudget('restore-interrupted');
  await used.send('/api/v1/budgets', { name: 'Ads', ceiling_usd: '1', period: 'month' });
  const rows = await rowsOf('budgets', used);
  for (const row of rows) await deleteRow('budgets', row);
  const backups = backupsOf(rows);
  const [live, copy] = [liveName('budgets'), `${liveName('budgets')}-copy`];
  await backups.restore(live, copy, new Date());
  const options = { mode: 'missing', isDryRun: false, now: 0, isSelected: () => true } as const;
  const killed = restoreRows(tables.budgets, { live, copy }, { ...options, onChange: failAt(2) });
  await expect(killed).rejects.toThrow('killed');

  await restoreRows(tables.budgets, { live, copy }, { ...options, onChange: () => undefined });

  await backups.remove(copy);
  expect(texts(await rowsOf('budgets', used))).toEqual(texts(rows));
});

it('adds only what is missing, so that changes after the damage stay', async () => {
  const used = await newTenantWithBudget('restore-missing');
  const rows = await rowsOf('budgets', used);
  const [row] = rows;
  if (row === undefined) throw new Error('the tenant has a budget');
  const changed = { ...row, document: { S: (row['document']?.S ?? '').replace('Search', 'Renamed') } };
  await client.send(new PutItemCommand({ TableName: liveName('budgets'), Item: changed }));

  const report = await restore(rows, { table: 'budgets', tenant: used.tenant });

  expect(report).toMatchObject({ missing: 0, changed: 1 });
  expect(texts(await rowsOf('budgets', used))).toContain(texts([changed])[0]);
});

it('makes the rows of a tenant equal to the copy on request, and leaves those of others alone', async () => {
  const [used, other] = await Promise.all([
    newTenantWithBudget('restore-exact'),
    newTenantWithBudget('restore-other'),
  ]);
  const [rows, others] = await Promise.all([rowsOf('budgets', used), rowsOf('budgets', other)]);
  const damaged = rows.map((row) => ({ ...row, document: { S: '{}' } }));
  const extra = { ...damaged[0], sk: { S: 'bdg_newer' } };
  for (const Item of [...damaged, extra])
    await client.send(new PutItemCommand({ TableName: liveName('budgets'), Item }));

  const counted = await restore(rows, {
    table: 'budgets',
    tenant: used.tenant,
    mode: 'exact',
    isDryRun: true,
  });
  const untouched = await rowsOf('budgets', used);
  const report = await restore(rows, { table: 'budgets', tenant: used.tenant, mode: 'exact' });

  expect(counted).toMatchObject({ changed: rows.length, newer: 1 });
  expect(texts(untouched)).toEqual(texts([...damaged, extra]));
  expect(report).toMatchObject({ changed: rows.length, newer: 1 });
  expect(texts(await rowsOf('budgets', used))).toEqual(texts(rows));
  expect(texts(await rowsOf('budgets', other))).toEqual(texts(others));
});

it('does not restore expired rows', async () => {
  const used = await newTenantWithBudget('restore-expired');
  const rows = await rowsOf('budgets', used);
  const expired = rows.map((row) => ({ ...row, ttl: { N: '1' } }));
  for (const row of rows) await deleteRow('budgets', row);

  expect(await restore(expired, { table: 'budgets', tenant: used.tenant })).toMatchObject({ copied: 0 });
  expect(await rowsOf('budgets', used)).toEqual([]);
});

it('records no event a second time after its claim was lost and written again', async () => {
  const { tenant, key } = await api.newTenant('restore-claims');
  const event = someEvent({ trace_id: 'b'.repeat(32), span_id: '1'.repeat(16) });
  const send = async (members: object): Promise<void> => {
    const body = { ...event, ...members };
    const answer = await call(api.baseUrl, '/api/v1/invocations', { key, body });
    expect(answer.status, answer.text).toBe(202);
    await api.instance.runtime.idle({ delayed: true });
  };
  await send({});
  const before = await call(api.baseUrl, '/v1/attribution', { key });
  for (const table of ['claims', 'traces'] as const) {
    for (const row of await rowsOf(table, { tenant })) await deleteRow(table, row);
  }

  const counted = await rebuild('claims', tenant, true);
  expect(await rowsOf('claims', { tenant })).toEqual([]);
  const [claims, traces] = [await rebuild('claims', tenant), await rebuild('traces', tenant)];
  // A retry may set its time again. Another content of the same observer changes nothing either.
  await send({ occurred_at: new Date(Date.now() - 3_600_000).toISOString() });
  await send({ input_tokens: 999_999 });

  // A span has a row under its record and one under its id. Its trace has two about what its spans agree on, one about
  // the credentials that it connects, and one that says so.
  expect([counted, claims, traces]).toMatchObject([{ missing: 1 }, { missing: 1 }, { missing: 6 }]);
  expect(await rebuild('claims', tenant)).toMatchObject({ rows: 1, missing: 0 });
  const after = await call(api.baseUrl, '/v1/attribution', { key });
  expect(after.body['data']).toEqual(before.body['data']);
  const [record] = z.array(z.object({ invocation_id: z.string() })).parse(after.body['data']);
  for (const filter of [`invocation_id=${record?.invocation_id}`, `trace_id=${'b'.repeat(32)}`]) {
    const found = await call(api.baseUrl, `/v1/attribution?${filter}`, { key });
    expect(found.body['data'], filter).toEqual(before.body['data']);
  }
});

it('adds the evidence of another observer to a record after its claim was written again', async () => {
  const { tenant, key } = await api.newTenant('restore-observers');
  const event = someEvent();
  const send = async (members: object): Promise<void> => {
    await call(api.baseUrl, '/api/v1/invocations', { key, body: { ...event, ...members } });
    await api.instance.runtime.idle({ delayed: true });
  };
  await send({});
  for (const row of await rowsOf('claims', { tenant })) await deleteRow('claims', row);
  await rebuild('claims', tenant);

  await send({ ingestion_layer: 'gateway', source_system: 'edge', tags: ['observed'] });
  await send({ ingestion_layer: 'gateway', source_system: 'edge', tags: ['observed'] });

  const { body } = await call(api.baseUrl, '/v1/attribution', { key });
  expect(body['data']).toMatchObject([{ version: 2, tags: ['observed'] }]);
});

it('has totals compared with the ledger after their rows were lost', async () => {
  const used = await newUsedTenant('restore-totals');
  const rows = await rowsOf('rollups', used);
  for (const row of rows) await deleteRow('rollups', row);

  const { checks } = await restore(rows.slice(0, 1), { table: 'rollups', tenant: used.tenant });

  expect(checks).toEqual({ 'restore-totals': [new Date().toISOString().slice(0, 7)] });
});
