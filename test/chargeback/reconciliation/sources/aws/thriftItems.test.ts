import fc from 'fast-check';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { describe, expect, it } from 'vitest';
import { endOfStruct } from '../../../../../functions/chargeback/reconciliation/sources/aws/thriftItems.ts';
import { ItemBudget } from '../../../../../functions/platform/shared/itemBudget.ts';
import { ProblemError } from '../../../../../functions/platform/shared/problem.ts';

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))];

/** A struct whose second field is a list that claims `size` elements of `type`, and has `bytes`. */
const listOf = (size: number, type: number, bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x15, 0x02, 0x19, 0xf0 | type, ...varint(size)]),
    Buffer.alloc(bytes),
    Buffer.from([0]),
  ]);

const STRUCT = 12;
const LIST = 9;
const endOf = (bytes: Buffer, items = 1_000) => endOfStruct(bytes, 0, new ItemBudget(items));

describe('the metadata of a bill file', () => {
  it.each([
    ['four million empty structs', listOf(4_000_000, STRUCT, 4_000_000)],
    ['four million empty lists', listOf(4_000_000, LIST, 4_000_000)],
    ['a list that claims thirty million elements', listOf(30_000_000, STRUCT, 10)],
    ['a list of flags that claims two billion elements', listOf(2_000_000_000, 1, 10)],
    ['a million fields', Buffer.concat([Buffer.alloc(1_000_000, 0x11), Buffer.from([0])])],
  ])('is too large with %s, before anything is made of them', (_, bytes) => {
    expect(() => endOf(bytes)).toThrow(ProblemError);
  });

  it.each([
    ['a list that ends early', listOf(100, STRUCT, 10).subarray(0, 12)],
    ['bytes that end early', Buffer.from([0x18, 0x7f, 1, 0])],
    ['a size beyond 31 bits', Buffer.from([0x18, 0xff, 0xff, 0xff, 0xff, 0x7f, 0])],
    ['structs in structs', Buffer.alloc(1_000, 0x1c)],
    ['a map', Buffer.from([0x1b, 0, 0])],
    ['nothing', Buffer.alloc(0)],
  ])('is refused with %s', (_, bytes) => {
    expect(() => endOf(bytes)).toThrow(RangeError);
  });

  it('ends where its reader ends, for whatever both accept', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
        let end: number;
        try {
          end = endOfStruct(bytes, 0, new ItemBudget(1_000));
        } catch {
          return;
        }
        deserializeTCompactProtocol(reader);
        expect(reader.offset).toBe(end);
      }),
      { numRuns: 20_000 },
    );
  });
});
