import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FileFormat } from '../../../schemas/chargeback/focus.ts';
import type { InMemoryExport } from './inMemoryExport.ts';

type Answer = Record<string, string | null>;

/** Reads all columns as text. Type detection would read decimals as doubles. */
const AS_TEXT = 'all_varchar=true, header=true, union_by_name=false';
const DECIMAL = 'DECIMAL(38,12)';

/** Queries the files of an export with DuckDB. `exact` casts a column to a decimal. Results are texts. */
export const askDuckDb = async (
  { contents }: Pick<InMemoryExport, 'contents'>,
  format: FileFormat,
  query: (table: string, exact: (column: string) => string) => string,
): Promise<readonly Answer[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'focus-'));
  try {
    const paths = [...contents.values()].map((content, index) => {
      const path = join(folder, `${index}.${format}`);
      writeFileSync(path, content);
      return `'${path}'`;
    });
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    try {
      await connection.run("SET TimeZone = 'UTC'");
      const list = `[${paths.join(', ')}]`;
      const table = format === 'parquet' ? `read_parquet(${list})` : `read_csv(${list}, ${AS_TEXT})`;
      const result = await connection.runAndReadAll(
        query(table, (column) => (format === 'parquet' ? `"${column}"` : `CAST("${column}" AS ${DECIMAL})`)),
      );
      return result
        .getRowObjectsJson()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
          ),
        );
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
};
