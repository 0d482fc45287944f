import type { FileFormat } from '../../../../schemas/chargeback/focus.ts';

/** Content type of each file format. Compressed files have no Content-Encoding, so clients save them compressed. */
export const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

export const JSON_TYPE = 'application/json';
