import { isContentAttribute, isReadAttribute } from '../attributeNames.ts';
import { type AttributeValue, LIST_ITEMS_MAXIMUM, type Skipped } from '../telemetry.ts';
import type { WireReader } from './wire.ts';

const readList = (list: WireReader): readonly string[] => {
  const items: string[] = [];
  while (list.next()) {
    if (list.field !== 1 || items.length >= LIST_ITEMS_MAXIMUM) {
      list.skip();
      continue;
    }
    const value = readValue(list.message());
    if (typeof value === 'string') items.push(value);
  }
  return items;
};

/** `AnyValue`. Undefined for bytes, maps and empty values. */
const readValue = (value: WireReader): AttributeValue | undefined => {
  let found: AttributeValue | undefined;
  while (value.next()) {
    if (value.field === 1) found = value.text();
    else if (value.field === 2) found = value.bool();
    else if (value.field === 3) found = value.int64();
    else if (value.field === 4) found = value.double();
    else if (value.field === 5) found = readList(value.message());
    else value.skip();
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
  if (!isReadAttribute(name)) {
    if (isContentAttribute(name)) skipped.content.add(name);
    return;
  }
  const read = readValue(value);
  if (read !== undefined) attributes.set(name, read);
};
