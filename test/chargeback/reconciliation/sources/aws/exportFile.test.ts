import type { RowGroup } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import {
  ExportTooLarge,
  footerLengthOf,
  readLineItems,
} from '../../../../../functions/chargeback/reconciliation/sources/aws/exportFile.ts';
import { aRow, curFile } from './curFile.ts';

const reading = (file: Uint8Array) => {
  const ranges: (readonly [number, number])[] = [];
  const rows: unknown[] = [];
  const done = readLineItems(
    {
      footer: file,
      size: file.length,
      read: async (start, end) => {
        ranges.push([start, end]);
        return file.slice(start, end);
      },
    },
    (item) => rows.push(item('line_item_usage_type')),
  );
  return { ranges, rows, done };
};

/** A file of one row whose footer was changed after its data were written. */
const withFooter = (change: (group: RowGroup) => void, rows = [aRow()]): Uint8Array => {
  const names = Object.keys(aRow());
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: names.length },
      ...names.map(
        (name) =>
          ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }) as const,
      ),
    ],
  });
  parquet.write({
    columnData: names.map((name) => ({ name, data: rows.map((row) => String(Object(row)[name])) })),
  });
  for (const group of parquet.row_groups) change(group);
  parquet.finish();
  return writer.getBytes();
};

describe('a Parquet file of an export', () => {
  it('is read in columns, and no further where a row group has no charge of Amazon Bedrock', async () => {
    const others = Array.from({ length: 6 }, () => aRow({ line_item_product_code: 'AmazonEC2' }));
    const file = curFile([...others, aRow()], { rowGroupSize: 3 });

    const { ranges, rows, done } = reading(file);
    await done;

    expect(rows).toEqual(['USE1-Claude4.6Sonnet-input-tokens']);
    // Two columns of two groups, and all twelve of the third.
    expect(ranges).toHaveLength(2 + 2 + 12);
  });

  it.each<[string, Uint8Array]>([
    [
      'with pages of more values than its footer says',
      withFooter(
        (group) => {
          group.num_rows = 1n;
        },
        [aRow(), aRow(), aRow()],
      ),
    ],
    [
      'whose columns are outside of it',
      withFooter(({ columns }) => {
        for (const { meta_data } of columns) if (meta_data) meta_data.data_page_offset = 1_000_000n;
      }),
    ],
    [
      'whose columns have negative sizes',
      withFooter(({ columns }) => {
        for (const { meta_data } of columns) if (meta_data) meta_data.total_compressed_size = -50n;
      }),
    ],
    ['that was cut', curFile([aRow()]).slice(0, -20)],
    ['that is text', new Uint8Array(Buffer.from('line_item_usage_type,line_item_unblended_cost'))],
  ])('is refused %s', async (_, file) => {
    await expect(reading(file).done).rejects.toThrow();
  });

  it.each<[string, (group: RowGroup) => void]>([
    [
      'a row group',
      (group) => {
        group.num_rows = 100_000_000n;
      },
    ],
    [
      'a column',
      ({ columns }) => {
        for (const { meta_data } of columns) if (meta_data) meta_data.total_compressed_size = 1n << 40n;
      },
    ],
  ])(
    'is too large when its footer declares %s beyond the limit, before anything is read',
    async (_, change) => {
      const { done, ranges } = reading(withFooter(change));

      await expect(done).rejects.toThrow(ExportTooLarge);
      expect(ranges).toEqual([]);
    },
  );

  it('is too large when its footer is longer than four megabytes', () => {
    const tail = new Uint8Array(8);
    new DataView(tail.buffer).setUint32(0, 5_000_000, true);

    expect(() => footerLengthOf(tail)).toThrow(ExportTooLarge);
  });
});
