import * as z from 'zod';
import { memberAt } from '../formats/values.ts';
import { storeAttribute } from '../spans/attributes.ts';
import {
  type AttributeMap,
  type Attributes,
  type AttributeValue,
  LIST_ITEMS_MAXIMUM,
  type LogRecord,
  MalformedExportError,
  type Origin,
  type Skipped,
  type Span,
} from '../spans/telemetry.ts';
import type { ExportBudget } from './exportBudget.ts';
import { BODY_DEPTH_MAXIMUM, countingBody } from './logBody.ts';

const KIND_CLIENT = 3;

/** 64-bit integers are strings in protobuf's JSON. Some exporters send numbers. */
const Integer = z.union([
  z
    .string()
    .regex(/^-?\d{1,20}$/)
    .transform(Number),
  z.number(),
]);
const Nanoseconds = z
  .union([z.string().regex(/^\d{1,20}$/), z.number().min(0).transform(Math.trunc)])
  .transform(BigInt)
  .catch(0n);
const Text = z.string().catch('');
/** Ids are hex. Some exporters send base64, as plain protobuf JSON does. */
const Id = Text.transform((text) =>
  /^[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : Buffer.from(text, 'base64').toString('hex'),
);

const AttributeList = z.array(z.unknown()).nullish().catch(null);

/** `trace_id` → `traceId`: JSON may have the names of the protobuf fields too (https://protobuf.dev/programming-guides/json). */
const camelName = (name: string): string =>
  name.includes('_') ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;

const camelMembers = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || !Object.keys(value).some((name) => name.includes('_'))
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [camelName(name), member]));

/** It says where calls come from, so one that is malformed does not refuse them. */
const Group = z.object({ resource: z.object({ attributes: AttributeList }).nullish().catch(null) });
const Scope = z.object({ name: Text, version: Text }).nullish().catch(null);
/** Protocol versions before 0.15 call a scope an instrumentation library. */
const ScopeGroup = z.object({ scope: Scope, instrumentationLibrary: Scope });

const SpanMessage = z.object({
  traceId: Id,
  spanId: Id,
  parentSpanId: Id,
  kind: z.union([z.int(), z.literal('SPAN_KIND_CLIENT').transform(() => KIND_CLIENT)]).catch(0),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: AttributeList,
  status: z
    .object({ code: z.union([z.int(), z.string()]).optional() })
    .nullish()
    .catch(null),
});

const LogMessage = z.object({
  timeUnixNano: Nanoseconds,
  observedTimeUnixNano: Nanoseconds,
  traceId: Id,
  spanId: Id,
  eventName: Text,
  attributes: AttributeList,
  body: z.unknown().optional(),
});

const Double = z.union([z.number(), z.string().transform(Number)]);
/** The parts of an `AnyValue` but its lists, by name. */
const scalars: ReadonlyMap<string, z.ZodType<string | number | boolean>> = new Map<
  string,
  z.ZodType<string | number | boolean>
>([
  ['stringValue', z.string()],
  ['boolValue', z.boolean()],
  ['intValue', Integer],
  ['doubleValue', Double],
]);
const scalarNamed = (name: string) => scalars.get(name);

const readScalar = (value: unknown): string | number | boolean | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const scalar = scalarNamed(camelName(name));
    if (scalar !== undefined) return scalar.safeParse(memberAt(value, name)).data;
  }
  return undefined;
};

/** `AnyValue`. Undefined for bytes, empty values and maps below `mapDepth`. Lists in lists are skipped. */
const readValue = (value: unknown, mapDepth: number): AttributeValue | AttributeMap | undefined => {
  const map = memberAt(value, 'kvlistValue', 'values') ?? memberAt(value, 'kvlist_value', 'values');
  if (Array.isArray(map)) return mapDepth === 0 ? undefined : readMap(map, mapDepth - 1);
  const list = memberAt(value, 'arrayValue') ?? memberAt(value, 'array_value');
  if (typeof list !== 'object' || list === null) return readScalar(value);
  const items = memberAt(list, 'values');
  if (!Array.isArray(items)) return [];
  return items
    .slice(0, LIST_ITEMS_MAXIMUM)
    .map(readScalar)
    .filter((item) => item !== undefined)
    .map(String);
};

const readMap = (members: readonly unknown[], mapDepth: number): AttributeMap =>
  new Map(
    members.map((member) => [
      String(memberAt(member, 'key')),
      readValue(memberAt(member, 'value'), mapDepth),
    ]),
  );

/** A body can have a million attributes, so only the values of those on the allow-list are checked against a schema. */
const attributesOf = (list: readonly unknown[] | null | undefined, skipped: Skipped): Attributes => {
  const attributes = new Map<string, AttributeValue>();
  for (const item of list ?? []) {
    const key = memberAt(item, 'key');
    if (typeof key !== 'string') continue;
    storeAttribute(attributes, key, (mapDepth) => readValue(memberAt(item, 'value'), mapDepth), skipped);
  }
  return attributes;
};

const malformed = (path: string): MalformedExportError =>
  // The path only: a message of the schema could quote the body.
  new MalformedExportError(`The JSON is not an OTLP export, at ${path || 'its root'}.`);

const parse = <Output>(schema: z.ZodType<Output>, value: unknown, path: string): Output => {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  throw malformed([path, ...(error.issues[0]?.path ?? [])].filter((part) => part !== '').join('.'));
};

/** The names of the three levels of lists in an export. Older versions of the protocol have other names for the second. */
export type Levels = readonly [groups: string, scopes: string, items: string, oldScopes: string];

/**
 * Reads the messages of an export that share a resource and a scope, as `readExport` of protobuf does. Each group and each
 * item spends a record of the budget before it is read.
 */
export const readJsonExport = <Item>(
  value: unknown,
  [groupsName, scopesName, itemsName, oldScopesName]: Levels,
  { records }: ExportBudget,
  skipped: Skipped,
  readItem: (message: unknown, origin: Origin, path: string) => Item,
): Item[] => {
  const listAt = (owner: unknown, name: string, path: string): readonly (readonly [unknown, string])[] => {
    if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) throw malformed(path);
    const list = memberAt(camelMembers(owner), name) ?? [];
    const at = path === '' ? name : `${path}.${name}`;
    if (!Array.isArray(list)) throw malformed(at);
    records.spend(list.length);
    return list.map((item: unknown, index) => [item, `${at}.${index}`] as const);
  };
  return listAt(value, groupsName, '').flatMap(([group, groupPath]) => {
    const resource = attributesOf(parse(Group, group, groupPath).resource?.attributes, skipped);
    const scopes = [scopesName, oldScopesName].flatMap((name) => listAt(group, name, groupPath));
    return scopes.flatMap(([scopeGroup, scopePath]) => {
      const { scope: named, instrumentationLibrary } = parse(ScopeGroup, camelMembers(scopeGroup), scopePath);
      const scope = named ?? instrumentationLibrary;
      const origin = { resource, scope: scope?.name ?? '', scopeVersion: scope?.version ?? '' };
      return listAt(scopeGroup, itemsName, scopePath).map(([item, path]) => readItem(item, origin, path));
    });
  });
};

/** The spans of an export in OTLP's JSON encoding. Unknown members are ignored. Throws a MalformedExportError. */
export const readJsonSpans = (value: unknown, budget: ExportBudget, skipped: Skipped): Span[] =>
  readJsonExport(
    value,
    ['resourceSpans', 'scopeSpans', 'spans', 'instrumentationLibrarySpans'],
    budget,
    skipped,
    (message, origin, path) => {
      const span = parse(SpanMessage, camelMembers(message), path);
      return {
        ...origin,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: span.kind,
        start: span.startTimeUnixNano,
        end: span.endTimeUnixNano,
        attributes: attributesOf(span.attributes, skipped),
        isError: span.status?.code === 2 || span.status?.code === 'STATUS_CODE_ERROR',
      };
    },
  );

/** The log records of an export in OTLP's JSON encoding. Throws a MalformedExportError. */
export const readJsonLogs = (value: unknown, budget: ExportBudget, skipped: Skipped): LogRecord[] =>
  readJsonExport(
    value,
    ['resourceLogs', 'scopeLogs', 'logRecords', 'instrumentationLibraryLogs'],
    budget,
    skipped,
    (message, origin, path) => {
      const record = parse(LogMessage, camelMembers(message), path);
      return {
        ...origin,
        traceId: record.traceId,
        spanId: record.spanId,
        eventName: record.eventName,
        time: record.timeUnixNano === 0n ? record.observedTimeUnixNano : record.timeUnixNano,
        attributes: attributesOf(record.attributes, skipped),
        ...countingBody(readValue(record.body, BODY_DEPTH_MAXIMUM), budget.items),
      };
    },
  );
