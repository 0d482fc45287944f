import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bedrockRecord, inferenceCloudEvent, litellmPayload } from '../ingest/formats/logs.ts';
import { tracesInJson } from '../ingest/otlp/messages.ts';
import { call, listAllRecords } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const PATH = '/api/v1/call-logs';
const PROMPT = 'prompt that must never be stored';

let instance: Instance;
let keys: { ingest: string; read: string };

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
});
afterAll(() => instance.stop());

const seconds = () => Date.now() / 1_000;
const now = () => new Date().toISOString();
const litellm = (service: string, members: Record<string, unknown> = {}) => {
  const payload = litellmPayload(
    { id: `chatcmpl-${randomUUID()}`, startTime: seconds(), endTime: seconds() },
    PROMPT,
  );
  return {
    ...payload,
    trace_id: randomUUID(),
    metadata: { ...payload.metadata, user_api_key_team_alias: service },
    ...members,
  };
};
const bedrock = (service: string, members: Record<string, unknown> = {}) =>
  bedrockRecord(
    { requestId: randomUUID(), timestamp: now(), requestMetadata: { service }, ...members },
    PROMPT,
  );
const recordsOf = async (service: string) => {
  await instance.runtime.idle();
  return listAllRecords(instance.baseUrl, keys.read, `service=${service}&limit=200`);
};
const send = (body: unknown, headers: Record<string, string> = {}) =>
  call(instance.baseUrl, PATH, { key: keys.ingest, body, headers });

describe('POST /api/v1/call-logs', () => {
  it('records the calls that LiteLLM sends, once, with the cost of the gateway', async () => {
    const batch = [litellm('logs-litellm'), litellm('logs-litellm')];

    const answers = [await send(batch), await send(batch.map((one) => JSON.stringify(one)).join('\n'))];

    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [
        202,
        // The payload has a tag that is too long.
        { accepted: 2, rejected: 0, skipped: 0, warnings: [expect.stringMatching(/^tags /)] },
      ]),
    );
    const records = await recordsOf('logs-litellm');
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      owner: 'logs-litellm',
      end_user: 'ann',
      cost_usd: '0.0000285',
      input_tokens: 1_200,
      cached_input_tokens: 1_000,
      pathway_category: 'gateway_mediated',
    });
    expect(JSON.stringify(records)).not.toContain(PROMPT);
  });

  it('records a background response once, with the usage of the poll that found it completed', async () => {
    const id = `resp_${randomUUID()}`;
    const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, response_cost: 0 };
    const created = litellm('logs-background', { id, call_type: 'aresponses', ...none });
    const metadata = { ...created.metadata, usage_object: none };

    await send([{ ...created, metadata, cost_breakdown: null }]);
    await instance.runtime.idle();
    await send([litellm('logs-background', { id, call_type: 'aget_responses' })]);
    await send([litellm('logs-background', { call_type: 'aget_responses' })]);

    expect(await recordsOf('logs-background')).toMatchObject([{ input_tokens: 1_200, output_tokens: 180 }]);
  });

  it('records the calls of a compressed Bedrock log, with the price of the catalogue', async () => {
    const lines = [
      bedrock('logs-bedrock'),
      { level: 'info' },
      bedrock('logs-bedrock', { timestamp: 'yesterday' }),
    ];
    const body = gzipSync(lines.map((line) => JSON.stringify(line)).join('\n'));

    const response = await fetch(`${instance.baseUrl}${PATH}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: {
        'x-api-key': keys.ingest,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
      },
    });

    expect([response.status, await response.json()]).toEqual([202, { accepted: 2, rejected: 0, skipped: 1 }]);
    const records = await recordsOf('logs-bedrock');
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({ input_tokens: 7_520, cache_write_tokens: 7_502, output_tokens: 386 });
    expect(Number(records[0]?.['cost_usd'])).toBeGreaterThan(0.02);
  });

  it.each([
    ['an empty body of a connection test', '', 202],
    ['no JSON', 'launch codes', 400],
    ['no text', '\u0000', 400],
  ])('answers %s', async (_, body, status) => {
    expect(await send(body, { 'content-type': 'application/json' })).toMatchObject({ status });
  });
});

describe('POST /api/v1/events', () => {
  it('records CloudEvents of calls, single and in a batch', async () => {
    const event = (id: string) => {
      const { data } = inferenceCloudEvent({}, PROMPT);
      return inferenceCloudEvent({
        id,
        time: now(),
        data: { ...data, attributed_service: 'logs-cloudevents' },
      });
    };
    const post = (body: unknown, type: string) =>
      call(instance.baseUrl, '/api/v1/events', { key: keys.ingest, body, headers: { 'content-type': type } });

    const single = await post(event('one'), 'application/cloudevents+json');
    const batch = await post(
      [event('one'), event('two'), { ...event('three'), data: {} }],
      'application/cloudevents-batch+json',
    );

    expect([single.body['accepted'], batch.body['accepted'], batch.body['rejected']]).toEqual([1, 2, 1]);
    expect(batch.body['results']).toMatchObject([{}, {}, { errors: [{ pointer: '/data/provider' }, {}] }]);
    expect(await recordsOf('logs-cloudevents')).toMatchObject([
      { owner: 'team-search' },
      { owner: 'team-search' },
    ]);
  });
});

describe('a call that an application and LiteLLM report with one response id', () => {
  it('makes one record whose explanation names both', async () => {
    const payload = litellm('logs-both');
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': payload.id,
      'gen_ai.agent.name': 'logs-both',
    };
    const start = `${BigInt(Date.now()) * 1_000_000n}`;
    const spans = tracesInJson([{ items: [{ start, end: start, attributes }] }]);
    await call(instance.baseUrl, '/api/v1/otlp/v1/traces', { key: keys.ingest, body: spans });
    await send([payload]);

    const [record, ...others] = await recordsOf('logs-both');
    const detail = await call(instance.baseUrl, `/v1/attribution/${String(record?.['id'])}`, {
      key: keys.read,
    });

    expect(others).toEqual([]);
    expect(record).toMatchObject({ cost_usd: '0.0000285', input_tokens: 1_200 });
    expect(detail.body['explanation']).toMatchObject({
      observations: [
        { ingestion_layer: 'gateway', source_system: 'litellm', supplied: expect.arrayContaining(['cost']) },
        { ingestion_layer: 'otlp', supplied: expect.arrayContaining(['trace']) },
      ],
    });
  });
});
