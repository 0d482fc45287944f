import { expect, it } from 'vitest';
import { requireAllRecords } from '../../../bench/exports/exportJob.ts';

it('fails a benchmark whose export has fewer rows than there are records', () => {
  expect(() => requireAllRecords({ row_count: 0 }, 10_000)).toThrow('0 rows of 10000 records');
  expect(() => requireAllRecords({ row_count: 9_999 }, 10_000)).toThrow();
  expect(() => requireAllRecords({ row_count: 20_000 }, 10_000)).not.toThrow();
});
