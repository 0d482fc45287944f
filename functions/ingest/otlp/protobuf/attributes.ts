import { storeAttribute } from '../attributes.ts';
import { type AttributeValue, LIST_ITEMS_MAXIMUM, type Skipped } from '../telemetry.ts';
import type { WireReader } from './wire.ts';

/** `AnyValue` without its lists. Undefined for bytes, lists, maps and empty values. */
const readScalar = (value: WireReader): string | number | boolean | undefined => {
  let found: string | number | boolean | undefined;
  while (value.next()) {
    const scalar = scalarOf(value);
    if (scalar === undefined) value.skip();
    else found = scalar;
  }
  return found;
};

/** The scalar in the current field. Undefined, and the field is not read, if it has none. */
const scalarOf = (value: WireReader): string | number | boolean | undefined => {
  if (value.field === 1) return value.text();
  if (value.field === 2) return value.bool();
  if (value.field === 3) return value.int64();
  return value.field === 4 ? value.double() : undefined;
};

/** The texts of a list. Lists in lists are skipped: no mapping reads them, and their nesting could overflow the stack. */
const readList = (list: WireReader): readonly string[] => {
  const items: string[] = [];
  while (list.next()) {
    if (list.field !== 1 || items.length >= LIST_ITEMS_MAXIMUM) {
      list.skip();
      continue;
    }
    const value = readScalar(list.message());
    if (typeof value === 'string') items.push(value);
  }
  return items;
};

/** `AnyValue`. Undefined for bytes, maps and empty values. */
const readValue = (value: WireReader): AttributeValue | undefined => {
  let found: AttributeValue | undefined;
  while (value.next()) {
    const scalar = value.field === 5 ? readList(value.message()) : scalarOf(value);
    if (scalar === undefined) value.skip();
    else found = scalar;
  }
  return found;
};

/**
 * Adds one `KeyValue` to `attributes` if its name is on the allow-list. The value of any other attribute is skipped as
 * bytes, so that content never becomes a string.
 */
export const readAttribute = (
  entry: WireReader,
  attributes: Map<string, AttributeValue>,
  skipped: Skipped,
): void => {
  let name: string | undefined;
  let value: WireReader | undefined;
  while (entry.next()) {
    if (entry.field === 1) name = entry.text();
    else if (entry.field === 2) value = entry.message();
    else entry.skip();
  }
  if (name === undefined || value === undefined) return;
  const message = value;
  storeAttribute(attributes, name, () => readValue(message), skipped);
};
