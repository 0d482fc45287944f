import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startIsolatedProcess } from '../support/isolatedProcess.ts';
import type { DuckDbFormat } from './duckDbCopy.ts';

/** DuckDB in a separate process, with a folder for its input and output files. */
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
    /** Writes all rows as one file. */
    write: (format: DuckDbFormat) => own.invoke({ write: join(folder, `duckdb-out.${format}`), format }),
    stop: own.stop,
  };
};
