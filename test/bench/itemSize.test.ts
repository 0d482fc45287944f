import { expect, it } from 'vitest';
import { itemSize, READ_UNIT_BYTES, unitsOf, WRITE_UNIT_BYTES } from '../../bench/itemSize.ts';

it('counts names, text in UTF-8 and bytes', () => {
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

it('refuses a kind of value it knows no size of', () => {
  expect(() => itemSize({ list: { L: [] } })).toThrow('L');
});

it.each([
  [0, WRITE_UNIT_BYTES, 1],
  [1_024, WRITE_UNIT_BYTES, 1],
  [1_025, WRITE_UNIT_BYTES, 2],
  [4_097, READ_UNIT_BYTES, 2],
])('bills %d bytes in units of %d as %d', (bytes, unit, units) => {
  expect(unitsOf(bytes, unit)).toBe(units);
});
