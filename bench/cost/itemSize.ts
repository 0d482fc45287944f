import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB's write unit, in bytes. */
export const WRITE_UNIT_BYTES = 1_024;
/** DynamoDB's strongly consistent read unit, in bytes. */
export const READ_UNIT_BYTES = 4_096;

const numberSize = (text: string): number => {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[-+.]/g, '').replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + (text.startsWith('-') ? 1 : 0);
};

/** A list or map takes three bytes, and one for each member (DynamoDB developer guide, "Item sizes and formats"). */
const nestedSize = (members: readonly number[]): number =>
  3 + members.reduce((sum, size) => sum + 1 + size, 0);

const valueSize = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.NS !== undefined) return value.NS.reduce((sum, text) => sum + numberSize(text), 0);
  if (value.SS !== undefined) return value.SS.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  if (value.L !== undefined) return nestedSize(value.L.map(valueSize));
  if (value.M !== undefined) {
    return nestedSize(
      Object.entries(value.M).map(([name, member]) => Buffer.byteLength(name) + valueSize(member)),
    );
  }
  throw new Error(`DynamoDB attribute type ${Object.keys(value).join()} has no size rule here`);
};

/**
 * Item size in bytes as DynamoDB bills it: attribute names and values. A number takes one byte per two significant digits
 * plus one (DynamoDB developer guide, "Item sizes and formats"). Throws on value types that the tables do not use.
 */
export const itemSize = (item: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);

/** Capacity units for a size in bytes, at least one. */
export const unitsOf = (bytes: number, unitBytes: number): number =>
  Math.max(1, Math.ceil(bytes / unitBytes));
