import * as z from 'zod';
import { isContentAttribute, isReadAttribute } from './attributeNames.ts';
import {
  type Attributes,
  type AttributeValue,
  LIST_ITEMS_MAXIMUM,
  type LogRecord,
  MalformedExportError,
  type Skipped,
  type Span,
} from './telemetry.ts';

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

const AnyValue = z.object({
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  intValue: Integer.optional(),
  doubleValue: z.union([z.number(), z.string().transform(Number)]).optional(),
  arrayValue: z.object({ values: z.array(z.unknown()).default([]) }).optional(),
});

const Attribute = z.object({ key: z.string(), value: z.unknown() });
const AttributeList = z.array(z.unknown()).nullish().catch(null);
const Resource = z.object({ attributes: AttributeList }).nullish();
const Scope = z.object({ name: Text }).nullish();

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
});

const TraceExport = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: Resource,
        scopeSpans: z.array(z.object({ scope: Scope, spans: z.array(SpanMessage).nullish() })).nullish(),
      }),
    )
    .nullish(),
});

const LogExport = z.object({
  resourceLogs: z
    .array(
      z.object({
        resource: Resource,
        scopeLogs: z.array(z.object({ scope: Scope, logRecords: z.array(LogMessage).nullish() })).nullish(),
      }),
    )
    .nullish(),
});

const readValue = (value: unknown): AttributeValue | undefined => {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue } = AnyValue.safeParse(value).data ?? {};
  if (arrayValue === undefined) return stringValue ?? boolValue ?? intValue ?? doubleValue;
  const items = arrayValue.values.slice(0, LIST_ITEMS_MAXIMUM).map(readValue);
  return items.filter((item) => typeof item === 'string');
};

const attributesOf = (list: readonly unknown[] | null | undefined, skipped: Skipped): Attributes => {
  const attributes = new Map<string, AttributeValue>();
  for (const item of list ?? []) {
    const attribute = Attribute.safeParse(item).data;
    if (attribute === undefined) continue;
    if (!isReadAttribute(attribute.key)) {
      if (isContentAttribute(attribute.key)) skipped.content.add(attribute.key);
      continue;
    }
    const value = readValue(attribute.value);
    if (value !== undefined) attributes.set(attribute.key, value);
  }
  return attributes;
};

const parse = <Output>(schema: z.ZodType<Output>, value: unknown): Output => {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  // The path only: a message of the schema could quote the body.
  const [issue] = error.issues;
  throw new MalformedExportError(
    `The JSON is not an OTLP export, at ${issue?.path.join('.') || 'its root'}.`,
  );
};

/** The spans of an export in OTLP's JSON encoding. Unknown members are ignored. Throws a MalformedExportError. */
export const readJsonSpans = (value: unknown, skipped: Skipped): Span[] =>
  (parse(TraceExport, value).resourceSpans ?? []).flatMap(({ resource, scopeSpans }) => {
    const attributes = attributesOf(resource?.attributes, skipped);
    return (scopeSpans ?? []).flatMap(({ scope, spans }) =>
      (spans ?? []).map(
        (span): Span => ({
          resource: attributes,
          scope: scope?.name ?? '',
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId,
          kind: span.kind,
          start: span.startTimeUnixNano,
          end: span.endTimeUnixNano,
          attributes: attributesOf(span.attributes, skipped),
          isError: span.status?.code === 2 || span.status?.code === 'STATUS_CODE_ERROR',
        }),
      ),
    );
  });

/** The log records of an export in OTLP's JSON encoding. Throws a MalformedExportError. */
export const readJsonLogs = (value: unknown, skipped: Skipped): LogRecord[] =>
  (parse(LogExport, value).resourceLogs ?? []).flatMap(({ resource, scopeLogs }) => {
    const attributes = attributesOf(resource?.attributes, skipped);
    return (scopeLogs ?? []).flatMap(({ scope, logRecords }) =>
      (logRecords ?? []).map(
        (record): LogRecord => ({
          resource: attributes,
          scope: scope?.name ?? '',
          traceId: record.traceId,
          spanId: record.spanId,
          eventName: record.eventName,
          time: record.timeUnixNano === 0n ? record.observedTimeUnixNano : record.timeUnixNano,
          attributes: attributesOf(record.attributes, skipped),
        }),
      ),
    );
  });
