import type { ItemBudget } from '../../../../platform/shared/itemBudget.ts';

/**
 * Element types of Thrift's compact protocol
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
 */
const TYPE = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const;
/** A list of more elements has its size in a varint. */
const LONG_LIST = 15;
/** The metadata of Parquet nests six levels. */
const DEPTH_MAXIMUM = 16;
const VARINT_BYTES = 10;

/**
 * Finds the end of a struct in Thrift's compact protocol, and spends an item for it and for each of its fields and list
 * elements. The reader of Parquet makes an object of each empty struct, and an array of the size that a list claims: four
 * megabytes became 900 MB (measured). So nothing reaches it that was not counted here. Throws a RangeError for bytes that
 * are no struct, and PAYLOAD_TOO_LARGE when the budget is spent.
 */
export const endOfStruct = (bytes: Uint8Array, start: number, budget: ItemBudget): number => {
  let at = start;

  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new RangeError('metadata ends too early');
    at += 1;
    return value;
  };

  const varint = (): number => {
    let value = 0;
    for (let index = 0; index < VARINT_BYTES; index += 1) {
      const next = byte();
      value += (next & 0x7f) * 2 ** (7 * index);
      if (next < 0x80) return value;
    }
    throw new RangeError('an integer of metadata is too long');
  };

  const advance = (length: number): void => {
    if (length > bytes.length - at) throw new RangeError('metadata ends too early');
    at += length;
  };

  /** The size of a list or of bytes. The reader has 32 bits for it, and takes the last one for a sign. */
  const size = (): number => {
    const value = varint();
    if (value > 0x7fff_ffff) throw new RangeError('a size of metadata is too large');
    return value;
  };

  const skipList = (depth: number): void => {
    const header = byte();
    const elements = header >> 4 === LONG_LIST ? size() : header >> 4;
    budget.spend(elements);
    const type = header & 0x0f;
    const isFlag = type === TYPE.true || type === TYPE.false;
    for (let index = 0; index < elements; index += 1) skipValue(isFlag ? TYPE.byte : type, depth);
  };

  const skipValue = (type: number, depth: number): void => {
    if (depth > DEPTH_MAXIMUM) throw new RangeError('metadata is nested too deep');
    if (type === TYPE.true || type === TYPE.false) return;
    if (type === TYPE.byte) byte();
    else if (type === TYPE.i16 || type === TYPE.i32 || type === TYPE.i64) varint();
    else if (type === TYPE.double) advance(8);
    else if (type === TYPE.binary) advance(size());
    else if (type === TYPE.list) skipList(depth + 1);
    else if (type === TYPE.struct) skipStruct(depth + 1);
    else throw new RangeError('metadata has an unknown type');
  };

  const skipStruct = (depth: number): void => {
    for (let field = byte(); (field & 0x0f) !== TYPE.stop; field = byte()) {
      budget.spend();
      // Without a difference to the number of the field before, the number follows.
      if (field >> 4 === 0) varint();
      skipValue(field & 0x0f, depth);
    }
  };

  budget.spend();
  skipStruct(0);
  return at;
};
