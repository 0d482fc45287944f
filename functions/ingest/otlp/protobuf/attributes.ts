import { storeAttribute } from '../../spans/attributes.ts';
import {
  type AttributeMap,
  type AttributeValue,
  LIST_ITEMS_MAXIMUM,
  type Skipped,
} from '../../spans/telemetry.ts';
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
    if (value !== undefined) items.push(String(value));
  }
  return items;
};

/** `AnyValue`. Undefined for bytes, empty values and maps below `mapDepth`. */
export const readValue = (value: WireReader, mapDepth: number): AttributeValue | AttributeMap | undefined => {
  let found: AttributeValue | AttributeMap | undefined;
  while (value.next()) {
    const isMap = value.field === 6 && mapDepth > 0;
    const read = isMap
      ? readMap(value.message(), mapDepth - 1)
      : value.field === 5
        ? readList(value.message())
        : scalarOf(value);
    if (read === undefined) value.skip();
    else found = read;
  }
  return found;
};

const readMap = (map: WireReader, mapDepth: number): AttributeMap => {
  const members = new Map<string, AttributeValue | AttributeMap | undefined>();
  while (map.next()) {
    if (map.field !== 1) {
      map.skip();
      continue;
    }
    const [name, value] = readEntry(map.message());
    if (name !== undefined && value !== undefined) members.set(name, readValue(value, mapDepth));
  }
  return members;
};

/** A `KeyValue`, whose value is not decoded yet. */
const readEntry = (entry: WireReader): readonly [name: string | undefined, value: WireReader | undefined] => {
  let name: string | undefined;
  let value: WireReader | undefined;
  while (entry.next()) {
    if (entry.field === 1) name = entry.text();
    else if (entry.field === 2) value = entry.message();
    else entry.skip();
  }
  return [name, value];
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
  const [name, value] = readEntry(entry);
  if (name === undefined || value === undefined) return;
  storeAttribute(attributes, name, (mapDepth) => readValue(value, mapDepth), skipped);
};
