import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../../../functions/chargeback/exports/files/writeFiles.ts';
import type { Line } from '../../../../functions/chargeback/exports/focus/line.ts';
import { withDatabase } from '../../../../functions/chargeback/exports/lines/database.ts';
import { createLineTable } from '../../../../functions/chargeback/exports/lines/lineTable.ts';
import { loadLines, storeLines } from '../../../../functions/chargeback/exports/lines/storedLines.ts';
import {
  buildOutputPlan,
  type OutputPlan,
} from '../../../../functions/chargeback/exports/request/outputPlan.ts';
import { askDuckDb } from '../duckdb.ts';
import { aRequest } from '../inMemoryExport.ts';
import { aLine } from '../lines.ts';
import { simulatedBuckets } from '../simulatedBucket.ts';

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };

const planFor = (members: Record<string, unknown>): OutputPlan =>
  buildOutputPlan(aRequest(members), {
    tenant: { tenant_id: 'acme', name: "Acme's" },
    lane: null,
    issuer: 'Issuer',
  });

/** Writes lines as files. */
const written = async (
  members: Record<string, unknown>,
  lines: readonly Line[],
  limits: Partial<OutputPlan> = {},
) => {
  const { work } = simulatedBuckets();
  const contents = new Map<string, Buffer>();
  const { key } = await withDatabase(async (database) => {
    const table = await createLineTable(database);
    for (const line of lines) table.add(line);
    table.end();
    return storeLines(database, work, 'lines');
  });
  const files = await withDatabase(async (database) => {
    const plan = { ...planFor(members), ...limits };
    await loadLines(database, work, lines.length === 0 ? [] : [key], EVER, plan.texts);
    return writeFiles(database, plan, lines.length, async (part, path) => {
      contents.set(String(part), readFileSync(path));
    });
  });
  return { files, contents };
};

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => aLine({ recordId: `r${1_000 + index}` }));
const idsIn = (content: Buffer | undefined): string[] =>
  (content ?? Buffer.alloc(0)).toString().trim().split('\n');

describe('the files of lines', () => {
  it('have a header, the rows in order, and are described by rows, bytes and SHA-256', async () => {
    const { files, contents } = await written({ columns: ['x_RecordId'] }, numbered(501).toReversed(), {
      limits: { rows: 500 },
    });

    expect([...contents.values()].map(idsIn)).toEqual([
      ['x_RecordId', ...numbered(500).map(({ key }) => key.recordId)],
      ['x_RecordId', 'r1500'],
    ]);
    expect(files).toEqual(
      [...contents.values()].map((content, index) => ({
        rows: index === 0 ? 500 : 1,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    );
  });

  it('have only a header without rows', async () => {
    const { contents } = await written({ columns: ['BilledCost', 'x_RecordId'] }, []);

    expect([...contents.values()].map(String)).toEqual(['BilledCost,x_RecordId\n']);
  });

  it('start a new file before the byte limit of an importer', async () => {
    const { files, contents } = await written({ importer: 'vantage' }, numbered(1_600), {
      limits: { rows: 10_000, bytes: 400_000 },
    });

    expect(files.map(({ rows }) => rows)).toEqual([1_000, 600]);
    expect([...contents.values()].every(({ length }) => length <= 400_000)).toBe(true);
  });

  it('have the same compressed bytes each time, without a time', async () => {
    const members = { columns: ['x_RecordId'], file_format: 'csv.gz' };
    const [one, other] = [await written(members, numbered(5)), await written(members, numbered(5))];
    const [content = Buffer.alloc(0)] = one.contents.values();

    expect(content.subarray(4, 8)).toEqual(Buffer.alloc(4));
    expect(other).toEqual(one);
    expect(idsIn(gunzipSync(content))).toHaveLength(6);
  });

  it('of Parquet keep digits, nulls, text and instants in the types of FOCUS', async () => {
    const start = Date.parse('2026-10-14T12:34:56Z');
    const file = await written(
      {
        columns: ['BilledCost', 'ChargePeriodStart', 'RegionId', 'Tags', 'x_EnergyWattHours'],
        file_format: 'parquet',
      },
      [
        aLine({ start, region: '=1+1', owner: 'ä' }, { cost: 1n }),
        aLine({ start: start + 1_000, owner: null, energyMethod: 'm' }, { cost: 10n ** 37n, energy: 5n }),
      ],
    );
    const query = (table: string) =>
      `SELECT BilledCost, epoch_ms(ChargePeriodStart) AS at, RegionId, Tags, x_EnergyWattHours FROM ${table}`;
    const types = await askDuckDb(file, 'parquet', (table) => `DESCRIBE SELECT * FROM ${table}`);

    expect((await askDuckDb(file, 'parquet', query)).map((row) => Object.values(row))).toEqual([
      ['0.000000000001', String(start), '=1+1', '{"owner":"ä","service":"ranking"}', null],
      [
        `1${'0'.repeat(25)}.${'0'.repeat(12)}`,
        String(start + 1_000),
        null,
        '{"service":"ranking"}',
        '0.000000000005',
      ],
    ]);
    expect(types.map((row) => row['column_type'])).toEqual([
      'DECIMAL(38,12)',
      'TIMESTAMP WITH TIME ZONE',
      'VARCHAR',
      'VARCHAR',
      'DECIMAL(38,12)',
    ]);
  });
});
