/** A body of empty items: small when it is sent, and millions of objects when it is read without a bound. */
export interface Bomb {
  readonly name: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body after decompression, of about `size` bytes. */
  readonly content: (size: number) => Buffer;
}

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/x-protobuf';

/** `before`, then `unit` until the body has `size` bytes, then `after`. */
const filled = (before: string, unit: string, after: string) => (size: number) =>
  Buffer.from(before + unit.repeat(Math.floor((size - before.length - after.length) / unit.length)) + after);

/** A JSON text in which `@` stands for a list of `unit`s. */
const listed =
  (text: string, unit: string) =>
  (size: number): Buffer => {
    const [before = '', after = ''] = text.split('@');
    return filled(`${before}[`, `${unit},`, `${unit}]${after}`)(size - unit.length);
  };

const json = (name: string, content: Bomb['content']): Bomb => ({ name, contentType: JSON_TYPE, content });

/** An object of many members with names of their own. */
const manyNames = (size: number): string => {
  const bytes = Buffer.alloc(size);
  let at = bytes.write('{"k":1');
  for (let index = 0; at < size - 20; index += 1) at += bytes.write(`,"k${index.toString(36)}":1`, at);
  at += bytes.write('}', at);
  return bytes.toString('latin1', 0, at);
};

/** Values that are cheap to send. The first two stand for all where a list has no reader of its own. */
const units = ['{}', '1', '[]', '""', 'null', '{"a":{}}', '[[[[]]]]'];

const jsonAt = (place: string, text: string, values = units.slice(0, 2)): Bomb[] =>
  values.map((unit) => json(`${place}: ${unit}`, listed(text, unit)));

const namesAt = (place: string, text: string): Bomb[] => [
  json(`${place}: names`, (size) => Buffer.from(text.replace('@', `[${manyNames(size - text.length)}]`))),
  json(`${place}: objects with names of their own`, (size) => {
    const objects = manyNames(Math.floor(size * 0.6))
      .slice(1, -1)
      .replaceAll(',', '},{');
    return Buffer.from(text.replace('@', `[{${objects}}]`));
  }),
];

const deepJson = (text: string, depth: number): Bomb =>
  json(`depth ${depth}: ${text}`, (size) => {
    const value = '['.repeat(depth) + ']'.repeat(depth);
    return listed(text, value)(Math.max(size, text.length + 2 * value.length + 4));
  });

/** Bombs in OTLP's JSON, by the names of the three levels of the message. */
export const otlpJson = (groups: string, scopes: string, items: string): Bomb[] => {
  const itemWith = (member: string) => `{"${groups}":[{"${scopes}":[{"${items}":[{${member}}]}]}]}`;
  const resourceWith = (attribute: string) => `{"${groups}":[{"resource":{"attributes":${attribute}}}]}`;
  const list = `{"${groups}":[{"${scopes}":[{"${items}":@}]}]}`;
  return [
    ...jsonAt('groups', `{"${groups}":@}`),
    ...jsonAt('scopes', `{"${groups}":[{"${scopes}":@}]}`),
    ...jsonAt('items', list, units),
    ...namesAt('items', list),
    ...jsonAt('attributes of an item', itemWith('"attributes":@')),
    ...jsonAt('attributes of a resource', resourceWith('@')),
    ...jsonAt('a list value', resourceWith('[{"key":"tag.tags","value":{"arrayValue":{"values":@}}}]')),
    ...jsonAt('a map value', resourceWith('[{"key":"x","value":{"kvlistValue":{"values":@}}}]')),
    ...jsonAt('data points', itemWith('"sum":{"dataPoints":@}')),
    ...jsonAt('an unknown member', '{"x":@}'),
    json('attributes that are read', listed(itemWith('"attributes":@'), '{"key":"model","value":{}}')),
    deepJson(`{"${groups}":@}`, 200),
    deepJson(`{"${groups}":@}`, 1_000_000),
  ];
};

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))];
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
const repeated = (unit: Buffer, size: number): Buffer =>
  Buffer.alloc(Math.floor(size / unit.length) * unit.length, unit);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const group = (bytes: Buffer): Buffer => field(1, bytes);
const item = (bytes: Buffer): Buffer => group(field(2, field(2, bytes)));

const protobuf = (name: string, content: Bomb['content']): Bomb => ({
  name: `protobuf: ${name}`,
  contentType: PROTOBUF_TYPE,
  content,
});

/** Messages of field `number` in each other, as deep as `size` allows. */
const nested = (numbers: readonly number[], size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  let start = size;
  for (let level = 0; ; level += 1) {
    const header = [(numbers[level % numbers.length] ?? 1) * 8 + 2, ...varint(size - start)];
    if (header.length > start) return bytes.subarray(start);
    start -= header.length;
    bytes.set(header, start);
  }
};

const MODEL = field(1, Buffer.from('model'));
const TAGS = field(1, Buffer.from('tag.tags'));

/** Bombs in protobuf. `attributes` is the field of the attributes of an item. */
export const otlpProtobuf = (attributes: number): Bomb[] => [
  protobuf('groups', (size) => repeated(hex('0a00'), size)),
  protobuf('scopes', (size) => group(repeated(hex('1200'), size))),
  protobuf('items', (size) => group(field(2, repeated(hex('1200'), size)))),
  protobuf('scope names', (size) => group(field(2, repeated(hex('0a00'), size)))),
  protobuf('resources', (size) => group(repeated(hex('0a00'), size))),
  protobuf('attributes', (size) => item(repeated(field(attributes, Buffer.alloc(0)), size))),
  protobuf('attributes that are read', (size) =>
    item(repeated(field(attributes, Buffer.concat([MODEL, field(2, hex('0a00'))])), size)),
  ),
  protobuf('names of an attribute', (size) => item(field(attributes, repeated(hex('0a00'), size)))),
  protobuf('attributes of a resource', (size) => group(field(1, repeated(hex('0a00'), size)))),
  protobuf('names of content', (size) => {
    const bytes = Buffer.alloc(size - 100);
    let at = 0;
    for (let index = 0; at < bytes.length - 50; index += 1) {
      const name = field(1, Buffer.from(`gen_ai.prompt.${index.toString(36)}`));
      at += field(attributes, Buffer.concat([name, field(2, Buffer.alloc(0))])).copy(bytes, at);
    }
    return item(bytes.subarray(0, at));
  }),
  protobuf('items of a list', (size) =>
    item(field(attributes, Buffer.concat([TAGS, field(2, field(5, repeated(hex('0a020a00'), size)))]))),
  ),
  protobuf('values of an attribute', (size) =>
    item(field(attributes, Buffer.concat([MODEL, field(2, repeated(hex('1801'), size))]))),
  ),
  protobuf('lists in lists', (size) =>
    item(field(attributes, Buffer.concat([TAGS, field(2, nested([1, 5], size - 100))]))),
  ),
  protobuf('messages in messages', (size) => nested([1, 2], size - 100)),
  protobuf('unknown fields', (size) => item(repeated(hex('f80100'), size))),
  protobuf('long integers', (size) => item(repeated(hex('30ffffffffffffffffff01'), size))),
  protobuf('integers of 64 bits', (size) => item(repeated(hex('390000000000000000'), size))),
  protobuf('status codes', (size) => item(field(15, repeated(hex('1800'), size)))),
  protobuf('data points', (size) => item(field(7, repeated(hex('0a00'), size)))),
  protobuf('kinds of data', (size) => item(repeated(hex('3a00'), size))),
];

const lines = (name: string, unit: string): Bomb => json(`lines: ${name}`, filled('', `${unit}\n`, ''));
/** JSON in a text of a JSON text. */
const inText = (text: string): Bomb[] =>
  ['{}', '[]', '1'].map((unit) => json(`JSON in a text: ${unit}`, listed(text.replace('@', '"@"'), unit)));

const CALL = {
  litellm:
    '{"call_type":"acompletion","id":"chatcmpl-1","model":"gpt-4o","startTime":1793534400,"request_tags":@}',
  bedrock: '{"schemaType":"ModelInvocationLog","modelId":"m","requestId":"r","requestMetadata":{"team":@}}',
  vertex: '{"logging_time":"2026-11-01 12:00:00 UTC","request_id":@,"full_response":{}}',
};
const CLOUD_EVENT = '{"specversion":"1.0","type":"ai.inference.completed.v1","source":"s","id":"1","data":@}';

export const callLogs: readonly Bomb[] = [
  ...jsonAt('entries', '@', units),
  ...namesAt('entries', '@'),
  ...jsonAt('entries of an entry', '[@]'),
  ...jsonAt('rows', '{"records":@}'),
  ...jsonAt('log events', '{"messageType":"DATA_MESSAGE","logEvents":@}'),
  ...Object.entries(CALL).flatMap(([format, text]) => jsonAt(format, text)),
  ...jsonAt('data of a CloudEvent', CLOUD_EVENT),
  ...inText('{"messageType":"DATA_MESSAGE","logEvents":[{"message":@}]}'),
  ...inText('{"logging_time":"2026-11-01 12:00:00 UTC","full_response":@}'),
  ...inText('{"logging_time":"2026-11-01 12:00:00 UTC","full_response":{},"full_request":@}'),
  ...['{}', '1', '[]', '[{}]', '', ' ', '"', '{', CLOUD_EVENT.replace('@', '{}')].map((unit) =>
    lines(unit, unit),
  ),
  json('lines: an odd quote before a list', (size) =>
    Buffer.concat([Buffer.from('"\n'), listed('@', '{}')(size - 2)]),
  ),
  json('metadata of a call', (size) =>
    Buffer.from(CALL.bedrock.replace('{"team":@}', manyNames(size - CALL.bedrock.length))),
  ),
  ...Object.values(CALL).flatMap((call) => [deepJson(call, 200), deepJson(call, 100_000)]),
  json('backslashes', filled('["', '\\\\', '"]')),
  {
    ...json('data of a CloudEvent in binary mode', listed('@', '{}')),
    headers: {
      'ce-specversion': '1.0',
      'ce-type': 'ai.inference.completed.v1',
      'ce-id': '1',
      'ce-source': 's',
    },
  },
  {
    name: 'a batch of CloudEvents',
    contentType: 'application/cloudevents-batch+json',
    content: listed('@', CLOUD_EVENT.replace('@', '{}')),
  },
];

/** Bombs for a JSON body with these members. */
export const jsonBody = (members: readonly string[]): Bomb[] => [
  ...jsonAt('a list', '@'),
  ...members.flatMap((name) => jsonAt(name, `{${JSON.stringify(name)}:@}`)),
  json('names', (size) => Buffer.from(manyNames(size))),
  deepJson('@', 30),
  deepJson('@', 1_000_000),
];
