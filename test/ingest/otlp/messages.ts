import { encodeBytes, encodeText, encodeVarint } from '../../../functions/platform/http/protobufFields.ts';

/** Attribute values as a producer sets them. An integer becomes `intValue`, any other number `doubleValue`. */
export type Value = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, Value>>;

/** Of a log record: a text, or a map. */
export type Body = Value | { readonly [name: string]: Body };
const isMap = (body: Body): body is Exclude<Body, Value> => typeof body === 'object' && !Array.isArray(body);

export interface SpanInput {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly kind?: number;
  readonly start?: string;
  readonly end?: string;
  readonly attributes?: Attributes;
  readonly error?: boolean;
}

export interface LogInput {
  readonly eventName?: string;
  readonly time?: string;
  readonly attributes?: Attributes;
  readonly body?: Body;
}

export interface Group<Item> {
  readonly resource?: Attributes;
  readonly scope?: string;
  /** Of the scope, in JSON. */
  readonly version?: string | undefined;
  readonly items: readonly Item[];
}

export const TRACE = '5b8efff798038103d269b633813fc60c';
export const SPAN = 'eee19b7ec3c1b174';
/** 2026-11-01T12:00:00Z in Unix nanoseconds, and two seconds later. */
export const START = '1793534400000000000';
export const END = '1793534402000000000';

const jsonValue = (value: Value): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map(jsonValue) } };
};
const jsonBody = (body: Body): object =>
  isMap(body)
    ? {
        kvlistValue: {
          values: Object.entries(body).map(([key, value]) => ({ key, value: jsonBody(value) })),
        },
      }
    : jsonValue(body);
const jsonAttributes = (attributes: Attributes = {}) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) }));

export const tracesInJson = (groups: readonly Group<SpanInput>[]) => ({
  resourceSpans: groups.map(({ resource, scope, version, items }) => ({
    resource: { attributes: jsonAttributes(resource) },
    scopeSpans: [
      {
        scope: { name: scope ?? 'test', version },
        spans: items.map((span) => ({
          traceId: span.traceId ?? TRACE,
          spanId: span.spanId ?? SPAN,
          parentSpanId: span.parentSpanId ?? '',
          name: 'chat gpt-4o',
          kind: span.kind ?? 3,
          startTimeUnixNano: span.start ?? START,
          endTimeUnixNano: span.end ?? END,
          attributes: jsonAttributes(span.attributes),
          status: span.error ? { code: 2, message: 'failed' } : {},
        })),
      },
    ],
  })),
});

export const logsInJson = (groups: readonly Group<LogInput>[]) => ({
  resourceLogs: groups.map(({ resource, scope, items }) => ({
    resource: { attributes: jsonAttributes(resource) },
    scopeLogs: [
      {
        scope: { name: scope ?? 'test' },
        logRecords: items.map((record) => ({
          timeUnixNano: record.time ?? END,
          observedTimeUnixNano: END,
          eventName: record.eventName,
          body: jsonBody(record.body ?? ''),
          attributes: jsonAttributes(record.attributes),
        })),
      },
    ],
  })),
});

const fixed64 = (field: number, value: bigint): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes[0] = field * 8 + 1;
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
};
const double = (field: number, value: number): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes[0] = field * 8 + 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
};

const protobufValue = (value: Value): Buffer => {
  if (typeof value === 'string') return encodeText(1, value);
  if (typeof value === 'boolean') return encodeVarint(2, Number(value));
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 ? encodeVarint(3, value) : double(4, value);
  return encodeBytes(5, Buffer.concat(value.map((item) => encodeBytes(1, protobufValue(item)))));
};
const protobufBody = (body: Body): Buffer =>
  isMap(body)
    ? encodeBytes(
        6,
        Buffer.concat(
          Object.entries(body).map(([key, value]) =>
            encodeBytes(1, Buffer.concat([encodeText(1, key), encodeBytes(2, protobufBody(value))])),
          ),
        ),
      )
    : protobufValue(body);
const protobufAttributes = (field: number, attributes: Attributes = {}): Buffer =>
  Buffer.concat(
    Object.entries(attributes).map(([key, value]) =>
      encodeBytes(field, Buffer.concat([encodeText(1, key), encodeBytes(2, protobufValue(value))])),
    ),
  );

const exportOf = <Item>(groups: readonly Group<Item>[], itemOf: (item: Item) => Buffer): Buffer =>
  Buffer.concat(
    groups.map(({ resource, scope, items }) =>
      encodeBytes(
        1,
        Buffer.concat([
          encodeBytes(1, protobufAttributes(1, resource)),
          encodeBytes(
            2,
            Buffer.concat([
              encodeBytes(1, encodeText(1, scope ?? 'test')),
              ...items.map((item) => encodeBytes(2, itemOf(item))),
            ]),
          ),
        ]),
      ),
    ),
  );

export const tracesInProtobuf = (groups: readonly Group<SpanInput>[]): Buffer =>
  exportOf(groups, (span) =>
    Buffer.concat([
      encodeBytes(1, Buffer.from(span.traceId ?? TRACE, 'hex')),
      encodeBytes(2, Buffer.from(span.spanId ?? SPAN, 'hex')),
      ...(span.parentSpanId ? [encodeBytes(4, Buffer.from(span.parentSpanId, 'hex'))] : []),
      encodeText(5, 'chat gpt-4o'),
      encodeVarint(6, span.kind ?? 3),
      fixed64(7, BigInt(span.start ?? START)),
      fixed64(8, BigInt(span.end ?? END)),
      protobufAttributes(9, span.attributes),
      ...(span.error ? [encodeBytes(15, encodeVarint(3, 2))] : []),
    ]),
  );

export const logsInProtobuf = (groups: readonly Group<LogInput>[]): Buffer =>
  exportOf(groups, (record) =>
    Buffer.concat([
      fixed64(1, BigInt(record.time ?? END)),
      encodeBytes(5, protobufBody(record.body ?? '')),
      protobufAttributes(6, record.attributes),
      ...(record.eventName === undefined ? [] : [encodeText(12, record.eventName)]),
    ]),
  );
