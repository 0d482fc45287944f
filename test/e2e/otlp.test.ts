import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logsInJson, tracesInJson, tracesInProtobuf } from '../ingest/otlp/messages.ts';
import { call, listAllRecords } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const TRACES = '/api/v1/otlp/v1/traces';
const LOGS = '/api/v1/otlp/v1/logs';
const METRICS = '/api/v1/otlp/v1/metrics';
const PROMPT = 'prompt that must never be stored';

let instance: Instance;
let keys: { ingest: string; read: string };

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
});
afterAll(() => instance.stop());

const callOf = (service: string) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.usage.input_tokens': 1_000,
  'gen_ai.usage.output_tokens': 200,
  'gen_ai.agent.name': service,
  'gen_ai.input.messages': PROMPT,
});
const recordsOf = async (service: string) => {
  await instance.runtime.idle();
  return listAllRecords(instance.baseUrl, keys.read, `service=${service}&limit=200`);
};
/** One span of a current time in a trace of its own. */
const exportOf = (attributes: Record<string, string | number>) => {
  const start = `${BigInt(Date.now()) * 1_000_000n}`;
  const ids = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
  return [{ items: [{ ...ids, start, end: start, attributes }] }];
};
const sendBytes = async (path: string, body: Uint8Array, headers: Record<string, string> = {}) => {
  const response = await fetch(`${instance.baseUrl}${path}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'x-api-key': keys.ingest, 'content-type': 'application/x-protobuf', ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe('an OpenTelemetry exporter', () => {
  it.each([
    ['protobuf', ProtobufExporter, 'otlp-proto'],
    ['JSON', JsonExporter, 'otlp-json'],
  ] as const)('in %s creates a record for each call, with the exact cost', async (_, Exporter, service) => {
    const exporter = new Exporter({
      url: `${instance.baseUrl}${TRACES}`,
      headers: { 'x-api-key': keys.ingest },
    });
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const tracer = provider.getTracer('openai');
    for (let index = 0; index < 3; index += 1) {
      tracer.startSpan(`chat ${index}`, { kind: 2, attributes: callOf(service) }).end();
    }
    await provider.forceFlush();
    await provider.shutdown();

    const records = await recordsOf(service);

    expect(records).toHaveLength(3);
    expect(new Set(records.map(({ cost_usd }) => cost_usd))).toEqual(new Set(['0.0045']));
    expect(JSON.stringify(records)).not.toContain(PROMPT);
  });
});

describe('an export', () => {
  it('in gzip that is sent twice creates one record', async () => {
    const body = gzipSync(tracesInProtobuf(exportOf(callOf('otlp-gzip'))));

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { response, bytes } = await sendBytes(TRACES, body, { 'content-encoding': 'gzip' });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/x-protobuf');
      expect(bytes).toHaveLength(0);
    }

    expect(await recordsOf('otlp-gzip')).toHaveLength(1);
  });

  it('counts what it rejects, and accepts the rest', async () => {
    const old = { start: '1600000000000000000', end: '1600000000000000000', spanId: 'aaaaaaaaaaaaaaaa' };
    const [valid] = exportOf(callOf('otlp-partial'));
    const groups = [{ items: [...(valid?.items ?? []), { ...old, attributes: callOf('otlp-partial') }] }];

    const json = await call(instance.baseUrl, TRACES, { key: keys.ingest, body: tracesInJson(groups) });
    const protobuf = await sendBytes(TRACES, tracesInProtobuf(groups));

    expect(json.body).toEqual({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: 'occurred_at must not be more than 13 months old',
      },
    });
    expect(protobuf.bytes.includes('must not be more than 13 months old')).toBe(true);
    expect(await recordsOf('otlp-partial')).toHaveLength(1);
  });

  it('counts spans that no id identifies', async () => {
    const [group] = exportOf(callOf('otlp-no-ids'));
    const items = (group?.items ?? []).flatMap((item) => [item, { ...item, spanId: '' }]);

    const json = await call(instance.baseUrl, TRACES, { key: keys.ingest, body: tracesInJson([{ items }]) });

    expect(json.body).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('span_id') },
    });
    expect(await recordsOf('otlp-no-ids')).toHaveLength(1);
  });

  it('with a provider that is too long is accepted with a warning', async () => {
    const [group] = exportOf({ ...callOf('otlp-warning'), 'gen_ai.provider.name': 'p'.repeat(80) });

    const json = await call(instance.baseUrl, TRACES, {
      key: keys.ingest,
      body: tracesInJson(group === undefined ? [] : [group]),
    });

    expect(json.body).toEqual({
      partialSuccess: { rejectedSpans: '0', errorMessage: expect.stringContaining('provider must have') },
    });
    expect(await recordsOf('otlp-warning')).toMatchObject([{ provider: 'p'.repeat(64) }]);
  });

  it.each([
    ['an empty body of a connection test', TRACES, ''],
    ['no resource', TRACES, {}],
    ['spans of no model call', TRACES, tracesInJson(exportOf({ 'http.request.method': 'GET' }))],
    ['log lines', LOGS, logsInJson([{ items: [{ body: PROMPT }] }])],
  ])('with %s is accepted', async (_, path, body) => {
    const headers = { 'x-test-connection': 'true', 'content-type': 'application/json' };

    expect(await call(instance.baseUrl, path, { key: keys.ingest, body, headers })).toMatchObject({
      status: 200,
      body: {},
    });
  });
});

describe('an export of metrics', () => {
  it('is answered with 200 and makes no record, so that exporters neither repeat it nor fail', async () => {
    const dataPoints = [
      { asInt: '1000', attributes: [{ key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } }] },
    ];
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'otlp-metrics' } }] };
    const metrics = [{ name: 'gen_ai.client.token.usage', sum: { dataPoints } }];
    const body = { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] };

    const json = await call(instance.baseUrl, METRICS, { key: keys.ingest, body });
    const empty = await sendBytes(METRICS, Buffer.alloc(0));
    const invalid = await sendBytes(METRICS, Buffer.from('{'));

    expect(json).toMatchObject({
      status: 200,
      body: { partialSuccess: { rejectedDataPoints: '1', errorMessage: expect.stringContaining('Metrics') } },
    });
    expect([empty.response.status, empty.bytes.length, invalid.response.status]).toEqual([200, 0, 400]);
    expect(await recordsOf('otlp-metrics')).toEqual([]);
  });
});

describe('the headers of an export', () => {
  it.each([
    ['a media type in capitals', { 'content-type': 'Application/X-Protobuf' }],
    ['the content coding identity', { 'content-encoding': 'identity' }],
  ])('may have %s', async (_, headers) => {
    const { response } = await sendBytes(TRACES, tracesInProtobuf(exportOf(callOf('otlp-headers'))), headers);

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
  });

  it('may lack a media type if the body is empty, as in a connection test', async () => {
    const send = (body?: Buffer) =>
      fetch(`${instance.baseUrl}${TRACES}`, {
        method: 'POST',
        headers: { 'x-api-key': keys.ingest, 'x-test-connection': 'true' },
        ...(body !== undefined && { body: new Uint8Array(body) }),
      });

    expect((await send()).status).toBe(200);
    expect((await send(tracesInProtobuf(exportOf(callOf('otlp-untyped'))))).status).toBe(415);
  });
});

describe('a refused export', () => {
  it.each([
    ['without a credential', {}, 401, 16],
    ['with a wrong credential', { 'x-api-key': 'no-such-key' }, 401, 16],
  ])('%s gets a google.rpc.Status in its own encoding', async (_, headers, status, code) => {
    const body = new Uint8Array([1]);
    const response = await fetch(`${instance.baseUrl}${TRACES}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-protobuf', ...headers },
    });
    const bytes = Buffer.from(await response.arrayBuffer());

    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/x-protobuf',
    ]);
    expect([...bytes.subarray(0, 3)]).toEqual([8, code, 18]);
  });

  it('names the problem in JSON too', async () => {
    const read = await call(instance.baseUrl, TRACES, { key: keys.read, body: {} });

    expect(read).toMatchObject({ status: 403, body: { code: 7, error_code: 'INSUFFICIENT_SCOPE' } });
    expect(read.body['message']).toBe(read.body['detail']);
  });

  it.each([
    ['no protobuf', Buffer.from('{'), {}, 400],
    ['no gzip', Buffer.from('{'), { 'content-encoding': 'gzip' }, 400],
    ['another compression', Buffer.from(''), { 'content-encoding': 'br' }, 415],
    [
      'a small body that grows beyond the limit',
      gzipSync(Buffer.alloc(17 * 1_024 * 1_024)),
      { 'content-encoding': 'gzip' },
      413,
    ],
  ])('with %s is no fault of the service', async (_, body, headers, status) => {
    const { response } = await sendBytes(TRACES, body, headers);

    expect(response.status).toBe(status);
  });
});
