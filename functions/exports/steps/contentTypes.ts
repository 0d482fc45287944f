import type { FileFormat } from '../../../schemas/focus.ts';

/** What files are served as. A compressed file is no compressed answer: it stays as it is when it is saved. */
export const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

export const JSON_TYPE = 'application/json';
