import { expect, it } from 'vitest';
import { keyUseOf, kindOf, subtractKeyUnits } from '../../../bench/scale/keyUse.ts';

it('names keys of one kind alike', () => {
  expect(kindOf('claims', 'acme#01KA3Z5V7JQ2M6X9R8T4B1C0DE')).toBe('claims acme#<id>');
  expect(kindOf('ledger', 'acme#2026-11#3')).toBe('ledger acme#<month>#3');
});

it('reports the busiest key of each kind, by event', () => {
  const units = subtractKeyUnits(
    { 'write t1 acme#2026-11#0': 10 },
    { 'write t1 acme#2026-11#0': 110, 'write t1 acme#sortIndex#log': 5, 'read t2 key': 0 },
  );

  expect(keyUseOf(units, { TableLedger: 't1', TableClaims: 't2' }, 100)).toEqual([
    { kind: 'ledger acme#<month>#0', access: 'write', keys: 1, unitsPerEvent: 1, isSpread: true },
    { kind: 'ledger acme#sortIndex#log', access: 'write', keys: 1, unitsPerEvent: 0.05, isSpread: false },
  ]);
});
