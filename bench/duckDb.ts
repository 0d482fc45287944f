import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDbFormat } from './duckDbCopy.ts';
import { startIsolatedProcess } from './isolatedProcess.ts';

/** DuckDB in a process of its own, with a folder for what it reads and writes. */
export const startDuckDb = async (driver: string, folder: string) => {
  const own = await startIsolatedProcess(driver, join(import.meta.dirname, 'duckDbCopy.ts'));
  return {
    /** Reads Parquet files into memory. */
    load: async (contents: readonly Uint8Array[]): Promise<void> => {
      const load = contents.map((content, index) => {
        const path = join(folder, `duckdb-${index}.parquet`);
        writeFileSync(path, content);
        return path;
      });
      await own.invoke({ load });
    },
    /** Writes all rows as one file; resolves to how many seconds it took. */
    write: async (format: DuckDbFormat): Promise<number> => {
      const { seconds } = await own.invoke({ write: join(folder, `duckdb-out.${format}`), format });
      return seconds;
    },
    stop: own.stop,
  };
};
