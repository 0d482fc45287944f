import { expect, it } from 'vitest';
import { type StorageRow, storageUsd } from '../../../bench/scale/storageCost.ts';

/** A gigabyte with the overhead of its item, if a million events leave one each. */
const gigabyte: StorageRow = { item: 'record', bytes: 900, perEvent: 1, months: null, hasBackup: true };
const closed = { records: 10, cpuSeconds: 0, fileBytes: 2_000, itemBytes: 900, files: 1 };

it('charges tables and backups for the months that rows stay, and files until the end', () => {
  const usd = storageUsd([gigabyte], closed, 13, 2);

  expect(usd.tables).toBeCloseTo(2 * 0.25, 9);
  expect(usd.backup).toBeCloseTo(2 * 0.2, 9);
  expect(usd.files).toBeCloseTo(13 * 0.2 * 0.023, 9);
});

it('charges items that outlive their records longer, at most until the end', () => {
  const claim = { ...gigabyte, months: 26, hasBackup: false };

  expect(storageUsd([claim], closed, 13, 2)).toMatchObject({ tables: 13 * 0.25, backup: 0 });
});
