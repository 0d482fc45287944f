import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB's write unit, in bytes. */
export const WRITE_UNIT_BYTES = 1_024;
/** Its strongly consistent read unit. */
export const READ_UNIT_BYTES = 4_096;

const numberSize = (text: string): number => {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[-+.]/g, '').replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + (text.startsWith('-') ? 1 : 0);
};

const valueSize = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  throw new Error(`no size is known of ${Object.keys(value).join()}`);
};

/**
 * Bytes of an item as DynamoDB bills them: names and values; a number takes a byte for two significant digits
 * and one more (DynamoDB developer guide, "Item sizes and formats"). Throws on kinds of values no table here holds.
 */
export const itemSize = (item: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);

/** Units of so many bytes, at least one. */
export const unitsOf = (bytes: number, unitBytes: number): number =>
  Math.max(1, Math.ceil(bytes / unitBytes));
