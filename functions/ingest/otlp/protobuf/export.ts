import type { Attributes, AttributeValue, Origin, Skipped } from '../../spans/telemetry.ts';
import type { ExportBudget } from '../exportBudget.ts';
import { readAttribute } from './attributes.ts';
import { WireReader } from './wire.ts';

/** `instrumentation_library_spans` of protocol versions before 0.15, with the same fields as its successor. */
const OLD_SCOPES = 1_000;

/** `Resource`: its attributes. */
const readResource = (message: WireReader, skipped: Skipped): Attributes => {
  const attributes = new Map<string, AttributeValue>();
  while (message.next()) {
    if (message.field === 1) readAttribute(message.message(), attributes, skipped);
    else message.skip();
  }
  return attributes;
};

/** `InstrumentationScope`: its name and version. */
const readScope = (message: WireReader): Pick<Origin, 'scope' | 'scopeVersion'> => {
  const scope = { scope: '', scopeVersion: '' };
  while (message.next()) {
    if (message.field === 1) scope.scope = message.text();
    else if (message.field === 2) scope.scopeVersion = message.text();
    else message.skip();
  }
  return scope;
};

/**
 * Reads the messages of an export that share a resource and a scope: `ResourceSpans` and `ResourceLogs` have the same form.
 * The resource may follow its scopes, so both levels are collected before their items are read. Each group and each item
 * spends a record of the budget, so that empty ones are bounded too.
 */
export const readExport = <Item>(
  bytes: Buffer,
  budget: ExportBudget,
  skipped: Skipped,
  readItem: (message: WireReader, origin: Origin, skipped: Skipped) => Item,
): Item[] => {
  const items: Item[] = [];
  const { records } = budget;
  const request = new WireReader(bytes, budget.items);
  while (request.next()) {
    if (request.field !== 1) {
      request.skip();
      continue;
    }
    records.spend();
    const group = request.message();
    let resource: Attributes = new Map();
    const scopes: WireReader[] = [];
    while (group.next()) {
      if (group.field === 1) resource = readResource(group.message(), skipped);
      else if (group.field === 2 || group.field === OLD_SCOPES) {
        records.spend();
        scopes.push(group.message());
      } else group.skip();
    }
    for (const scopeGroup of scopes) {
      let scope = { scope: '', scopeVersion: '' };
      const messages: WireReader[] = [];
      while (scopeGroup.next()) {
        if (scopeGroup.field === 1) scope = readScope(scopeGroup.message());
        else if (scopeGroup.field === 2) {
          records.spend();
          messages.push(scopeGroup.message());
        } else scopeGroup.skip();
      }
      for (const message of messages) items.push(readItem(message, { resource, ...scope }, skipped));
    }
  }
  return items;
};
