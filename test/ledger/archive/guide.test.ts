import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant, writeVersion } from '../records/ledgerFixture.ts';
import { minuteOf } from '../rollups/rollupFixture.ts';
import { CLOSING, recordsOfDay, startArchive } from './archiveFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

/** The statements of the first SQL block after a heading of the guide. */
const statementsOf = (heading: string): string[] => {
  const guide = readFileSync('docs/guides/archive.md', 'utf8');
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(`## ${heading}`))) ?? [];
  return block
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
};

/** Runs statements over files, and returns the rows of the last one as text. */
const runOver = async (
  objects: ReadonlyMap<string, Uint8Array>,
  statements: readonly string[],
): Promise<Record<string, unknown>[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  try {
    for (const [key, body] of objects) {
      mkdirSync(dirname(join(folder, key)), { recursive: true });
      writeFileSync(join(folder, key), body);
    }
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) {
        const result = await connection.runAndReadAll(statement.replaceAll('s3://<bucket>', folder));
        rows = result.getRowObjectsJson();
      }
      return rows;
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe('the DuckDB queries of the guide', () => {
  it('return the newest version of each record, with the sums of the manifest', async () => {
    const archive = startArchive({ fileRows: 4 });
    const tenant = newTenant();
    const records = recordsOfDay(9, [0, 1]);
    await archive.write(tenant, records);
    const [first] = records;
    if (first === undefined) throw new Error('no record');
    await writeVersion(live.client, tenant, first, 2, CLOSING - 60_000);
    await archive.compute(tenant, [minuteOf(first.occurredAt)]);
    await archive.close(tenant);
    const totals = (await archive.manifest(tenant))?.totals;
    const statements = statementsOf('DuckDB').map((text) => text.replace("'acme'", `'${tenant.tenant_id}'`));
    const objects = new Map(archive.bucket.stored);
    // A day that is being replaced has its rows twice.
    for (const [key, body] of archive.bucket.stored) objects.set(key.replace(/([^/]+)$/, 'old-$1'), body);

    const rows = await runOver(objects, statements);

    const costs = rows.map(({ cost_usd }) => decimal(String(cost_usd ?? '0')));
    expect(rows.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(totals?.records);
    expect(costs.reduce((sum, cost) => sum.plus(cost), decimal('0')).toFixed()).toBe(totals?.cost_usd);
    const columns = await runOver(objects, [...statements.slice(0, 1), 'DESCRIBE versions']);
    const types = Object.fromEntries(columns.map((column) => [column['column_name'], column['column_type']]));
    expect(types).toMatchObject({ cost_usd: 'DECIMAL(38,12)', day: 'VARCHAR', explanation: 'VARCHAR' });
    const ddl = statementsOf('Athena')[0] ?? '';
    for (const name of Object.keys(types))
      expect(ddl).toMatch(new RegExp(`\\b${name} (string|bigint|double|timestamp|decimal)`));
  });
});
