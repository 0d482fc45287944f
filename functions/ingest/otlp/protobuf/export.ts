import type { Attributes, AttributeValue, Origin, Skipped } from '../telemetry.ts';
import { readAttribute } from './attributes.ts';
import { WireReader } from './wire.ts';

/** `Resource`: its attributes. */
const readResource = (message: WireReader, skipped: Skipped): Attributes => {
  const attributes = new Map<string, AttributeValue>();
  while (message.next()) {
    if (message.field === 1) readAttribute(message.message(), attributes, skipped);
    else message.skip();
  }
  return attributes;
};

const readScopeName = (message: WireReader): string => {
  let name = '';
  while (message.next()) {
    if (message.field === 1) name = message.text();
    else message.skip();
  }
  return name;
};

/**
 * Reads the messages of an export that share a resource and a scope: `ResourceSpans` and `ResourceLogs` have the same
 * form. The resource may follow its scopes, so both levels are collected before their items are read.
 */
export const readExport = <Item>(
  bytes: Buffer,
  skipped: Skipped,
  readItem: (message: WireReader, origin: Origin, skipped: Skipped) => Item,
): Item[] => {
  const items: Item[] = [];
  const request = new WireReader(bytes);
  while (request.next()) {
    if (request.field !== 1) {
      request.skip();
      continue;
    }
    const group = request.message();
    let resource: Attributes = new Map();
    const scopes: WireReader[] = [];
    while (group.next()) {
      if (group.field === 1) resource = readResource(group.message(), skipped);
      else if (group.field === 2) scopes.push(group.message());
      else group.skip();
    }
    for (const scopeGroup of scopes) {
      let scope = '';
      const messages: WireReader[] = [];
      while (scopeGroup.next()) {
        if (scopeGroup.field === 1) scope = readScopeName(scopeGroup.message());
        else if (scopeGroup.field === 2) messages.push(scopeGroup.message());
        else scopeGroup.skip();
      }
      for (const message of messages) items.push(readItem(message, { resource, scope }, skipped));
    }
  }
  return items;
};
