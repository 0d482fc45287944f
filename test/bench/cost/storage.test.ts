import { expect, it } from 'vitest';
import { kindOfItem, storageRows, storageUsd, storedItem } from '../../../bench/cost/storage.ts';

const MONTH_SECONDS = 730 * 3_600;

it('charges an item and its 100 bytes of overhead until it expires', () => {
  const item = { pk: { S: 'x'.repeat(98) }, ttl: { N: String(2 * MONTH_SECONDS) } };

  expect(storedItem(item, 0)).toEqual({ items: 1, bytes: 206, byteMonths: 412 });
});

it('charges an item without an expiry for 25.5 months, and an expired one for none', () => {
  expect(storedItem({ pk: { S: 'abc' } }, 0).byteMonths).toBe(105 * 25.5);
  expect(storedItem({ ttl: { N: '1' } }, 5).byteMonths).toBe(0);
});

it('tells the records of the ledger from its index', () => {
  expect(kindOfItem('ledger', { detail: { B: new Uint8Array() } })).toBe('ledger records');
  expect(kindOfItem('ledger', { places: { B: new Uint8Array() } })).toBe('ledger index');
  expect(kindOfItem('claims', {})).toBe('claims');
});

it('reports the growth of each kind by event', () => {
  const stored = (bytes: number) => new Map([['claims', { items: bytes, bytes, byteMonths: bytes * 10 }]]);

  expect(storageRows(stored(500), stored(2_500), 2)).toEqual([
    { kind: 'claims', itemsPerEvent: 1_000, bytesPerEvent: 1_000, months: 10 },
  ]);
  expect(storageRows(stored(500), stored(500), 2)).toEqual([]);
});

it('prices the months that items stay, with backups only where the table has them', () => {
  const row = { itemsPerEvent: 1, bytesPerEvent: 1_000, months: 20 };

  expect(storageUsd({ ...row, kind: 'ledger records' }, 2)).toEqual({ table: 2 * 0.25, backup: 2 * 0.2 });
  expect(storageUsd({ ...row, kind: 'claims' })).toEqual({ table: 2, backup: 0 });
});
