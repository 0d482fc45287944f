import { expect, it } from 'vitest';
import { itemSize, READ_UNIT_BYTES, unitsOf, WRITE_UNIT_BYTES } from '../../../bench/cost/itemSize.ts';

it('counts attribute names, UTF-8 text and binary values', () => {
  expect(itemSize({ pk: { S: 'grün' }, detail: { B: new Uint8Array(300) } })).toBe(2 + 5 + 6 + 300);
});

it.each([
  ['0', 1],
  ['7', 2],
  ['1000000', 2],
  ['-12', 3],
  ['1790000000123', 8],
  ['0.000125', 3],
])('counts %s as a number of %d bytes', (text, bytes) => {
  expect(itemSize({ n: { N: text } })).toBe(1 + bytes);
});

it('throws on a value type without a size rule', () => {
  expect(() => itemSize({ set: { BS: [] } })).toThrow('BS');
});

it.each([
  [{ L: [{ S: 'ab' }, { N: '1' }] }, 3 + 3 + 3],
  [{ M: { ab: { BOOL: true } } }, 3 + 1 + 2 + 1],
  [{ SS: ['a', 'bc'] }, 3],
  [{ NS: ['1', '22'] }, 4],
])('counts %j as %d bytes', (value, bytes) => {
  expect(itemSize({ n: value })).toBe(1 + bytes);
});

it.each([
  [0, WRITE_UNIT_BYTES, 1],
  [1_024, WRITE_UNIT_BYTES, 1],
  [1_025, WRITE_UNIT_BYTES, 2],
  [4_097, READ_UNIT_BYTES, 2],
])('counts %d bytes in units of %d as %d units', (bytes, unit, units) => {
  expect(unitsOf(bytes, unit)).toBe(units);
});
