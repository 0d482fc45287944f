import { expect, it } from 'vitest';
import { storageRows, storedItem } from '../../../bench/cost/storage.ts';

const MONTH_SECONDS = 730 * 3_600;

it('charges an item and its 100 bytes of overhead until it expires', () => {
  const item = { pk: { S: 'x'.repeat(98) }, ttl: { N: String(2 * MONTH_SECONDS) } };

  expect(storedItem(item, 0, 12)).toEqual({ items: 1, bytes: 206, byteMonths: 412 });
});

it('charges an item without an expiry for the default time, and an expired one for none', () => {
  expect(storedItem({ pk: { S: 'abc' } }, 0, 10).byteMonths).toBe(1_050);
  expect(storedItem({ ttl: { N: '1' } }, 5, 10).byteMonths).toBe(0);
});

it('prices the growth of each table with its point-in-time recovery', () => {
  const stored = (bytes: number) => new Map([['Ledger', { items: bytes, bytes, byteMonths: bytes * 10 }]]);

  // 1,000 bytes for 10 months, at $0.45 for a GB and month.
  expect(storageRows(stored(500), stored(2_500), 2)).toEqual([
    { table: 'Ledger', itemsPerEvent: 1_000, bytesPerEvent: 1_000, months: 10, usd: 4.5 },
  ]);
  expect(storageRows(stored(500), stored(500), 2)).toEqual([]);
});
