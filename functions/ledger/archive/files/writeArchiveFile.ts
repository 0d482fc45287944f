import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Attribution } from '../../records/attribution.ts';
import { archiveColumns } from './archiveColumns.ts';
import { schemaOf, toParquetValue } from './parquetValues.ts';

/**
 * Rows of a row group, the unit of reading. One record costs the decoding of one group: ten times as much with groups of
 * 60,000 rows.
 */
export const GROUP_ROWS = 2_048;

/** Writes one Parquet file in memory. Compressed rows have about 200 bytes. */
export const archiveFileWriter = () => {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: schemaOf(archiveColumns),
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    // A reader selects the row group of a record by its id, which must not be cut.
    statisticsTruncateLength: Number.POSITIVE_INFINITY,
    createdBy: 'inference-attribution',
  });
  return {
    /** Writes one row group. */
    group: (rows: readonly Attribution[]): void => {
      parquet.write({
        columnData: archiveColumns.map((column) => ({
          name: column.name,
          data: rows.map((row) => toParquetValue(column, column.valueOf(row))),
          statistics: column.type !== 'json',
        })),
        rowGroupSize: Math.max(rows.length, 1),
      });
    },
    /** Completes the file and returns its bytes. */
    end: (): Uint8Array => {
      parquet.finish();
      return writer.getBytes();
    },
  };
};
