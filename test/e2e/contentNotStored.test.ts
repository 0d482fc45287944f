import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { dictionaries } from '../../functions/ledger/records/ledgerItemDictionary.ts';
import { contentNames } from '../ingest/events/contentNames.ts';
import {
  bedrockRecord,
  inferenceCloudEvent,
  litellmPayload,
  subscriptionMessage,
} from '../ingest/formats/logs.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Content sent over HTTP, in a body, header, form or query. It must not be stored anywhere. */
const CANARY = 'kanarie7c1d';
/** Content that a producer sent to the ingestion queue directly. */
const QUEUED_CANARY = 'kanarie9e4b';
const SINGLE = '/api/v1/invocations';
const BATCH = '/api/v1/invocations/batch';

const dataDir = temporaryDirectory();
let instance: Instance;
let keys: Instance['credentials']['tenants'][number]['api_keys'];
let client: { client_id: string; client_secret: string };
/** Headers and text of every response. */
const responses: string[] = [];
/** All table rows while the instance runs, as text. */
const rows: string[] = [];
/** Decompressed details of the ledger, which a search of rows or files cannot match. */
const details: string[] = [];
const secrets: string[] = [];

let next = 0;
/** A unique canary per call, so that a match identifies where it was sent. */
const canary = (prefix = CANARY): string => `${prefix}-${next++}-x`;

/** An API key whose secret part is a canary. Labels that hold one are dropped or make the event invalid. */
const secretLabel = (prefix = CANARY): string =>
  ['sk', 'ant', 'api03', canary(prefix), 'a'.repeat(20)].join('-');
/** Every label of an event holds a secret. */
const secretLabels = (prefix = CANARY): Record<string, unknown> => ({
  attributed_identity: secretLabel(prefix),
  api_key_name: secretLabel(prefix),
  tags: ['prod', secretLabel(prefix)],
});
/** Records of events with secret labels: one by each way of sending. */
const SECRET_RECORDS = 3;
/**
 * Records of call logs. The sender of the queue observes three of them too, which gives them further versions. An entry of
 * Bedrock without a readable model is a call of an unknown one.
 */
const LOGGED_RECORDS = 7;
const Detail = z.object({ record: z.object({ id: z.string() }) });
let secretAnswer: unknown;

const send = async (path: string, request: Request): Promise<Answer> => {
  const answer = await call(instance.baseUrl, path, { idempotencyKey: canary(), ...request });
  responses.push(JSON.stringify([...answer.headers]), answer.text);
  return answer;
};
const ingest = (path: string, body: unknown): Promise<Answer> => send(path, { key: keys.ingest, body });

/** Members of `cost_breakdown`. Elsewhere, members with these names are content. */
const AMOUNTS: ReadonlySet<string> = new Set(['input', 'output']);

/** Members of this name at the top level, nested, and in arrays. */
const withCanaries = (name: string, prefix = CANARY): Record<string, unknown> => ({
  [name]: canary(prefix),
  metadata: { [name]: { parts: [canary(prefix), { [name]: canary(prefix) }] } },
  spans: [{ attributes: { [name]: [canary(prefix)] } }, [{ [name]: canary(prefix) }]],
  ...(!AMOUNTS.has(name) && { cost_breakdown: { input: '0.01', [name]: canary(prefix) } }),
});
const names = contentNames;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Files of the data directory that contain a text, except credentials.json, which contains the secrets by design. */
const filesWith = (text: string): string[] =>
  filesBelow(dataDir)
    .map((file) => [relative(dataDir, file), readFileSync(file)] as const)
    .filter(([name, bytes]) => name !== 'credentials.json' && bytes.includes(text))
    .map(([name]) => name);

/** Every row of every table in a database file, as text. */
const rowsOf = (file: string): string => {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const all = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
  database.close();
  return JSON.stringify(all);
};

const scrubbed = new Map<string, unknown>();
let batchResults: unknown;

beforeAll(async () => {
  instance = await startInstance({ dataDir, environment: UNLIMITED });
  const { acme: tenant } = demoTenants(instance.credentials);
  keys = tenant.api_keys;
  client = tenant.oauth_client;
  const engines = enginesOf(instance.credentials);
  // Only the random part of a key is secret. The rest may be stored.
  secrets.push(...Object.values(keys).map((key) => parseApiKey(key)?.secret ?? key), client.client_secret);

  for (const name of names) {
    const { body } = await ingest(SINGLE, someEvent(withCanaries(name)));
    scrubbed.set(name, body['scrubbed']);
    // An invalid event, so that the response describes its errors.
    await ingest(SINGLE, someEvent({ ...withCanaries(name), provider: { [name]: canary() } }));
  }
  const events = names.flatMap((name) => [
    someEvent(withCanaries(name)),
    someEvent({ ...withCanaries(name), provider: { [name]: canary() } }),
  ]);
  secretAnswer = (await ingest(SINGLE, someEvent(secretLabels()))).body;
  await ingest(SINGLE, someEvent({ requested_model: secretLabel() }));
  await ingest(BATCH, { events: [someEvent(secretLabels()), someEvent({ provider: secretLabel() })] });
  batchResults = (await ingest(BATCH, { events, prompt: canary() })).body;
  await ingest(SINGLE, JSON.stringify(someEvent({ prompt: canary() })).slice(0, -1));
  await ingest(SINGLE, JSON.stringify({ prompt: canary() }).repeat(2));
  await ingest(SINGLE, canary());

  for (const name of names) {
    await engines.produce(JSON.stringify(someEvent(withCanaries(name, QUEUED_CANARY))));
    const invalid = {
      ...withCanaries(name, QUEUED_CANARY),
      tags: [{ [name]: canary(QUEUED_CANARY) }],
      provider: 7,
    };
    await engines.produce(JSON.stringify(someEvent(invalid)));
  }
  await engines.produce(JSON.stringify(someEvent(secretLabels(QUEUED_CANARY))));
  await engines.produce(JSON.stringify(someEvent({ requested_model: secretLabel(QUEUED_CANARY) })));
  await engines.produce(`{"prompt":"${canary(QUEUED_CANARY)}"`);
  await engines.produce(canary(QUEUED_CANARY));
  await engines.produce(JSON.stringify([{ messages: canary(QUEUED_CANARY) }]));
  await engines.produce(JSON.stringify({ tenant_id: 'globex', events: [{ text: canary(QUEUED_CANARY) }] }));
  await engines.produce(`{"a":1,"a":"${canary(QUEUED_CANARY)}"}`);

  const callLogs = (prefix?: string) => {
    const times = { startTime: Date.now() / 1_000, endTime: Date.now() / 1_000 };
    const at = { timestamp: new Date().toISOString() };
    return [
      litellmPayload(times, canary(prefix)),
      litellmPayload({ id: randomUUID(), startTime: canary(prefix) }, canary(prefix)),
      bedrockRecord(at, canary(prefix)),
      bedrockRecord({ ...at, modelId: 7, requestId: canary(prefix) }, canary(prefix)),
      subscriptionMessage([canary(prefix), bedrockRecord(at, canary(prefix))]),
      inferenceCloudEvent({ time: at.timestamp }, canary(prefix)),
    ];
  };
  await ingest('/api/v1/call-logs', callLogs());
  await ingest('/api/v1/call-logs', canary());
  for (const log of callLogs(QUEUED_CANARY)) await engines.produce(JSON.stringify(log));

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const credentials = new URLSearchParams({ grant_type: 'client_credentials', ...client }).toString();
  const token = await call(instance.baseUrl, '/v1/oauth/token', { body: credentials, headers: form });
  const bearer = String(token.body['access_token']);
  secrets.push(bearer);
  await send('/v1/attribution', { headers: { authorization: `Bearer ${bearer}` } });
  await send('/v1/oauth/token', { body: `${credentials}&scope=${canary()}`, headers: form });
  await send('/v1/oauth/token', { body: `client_id=${canary()}&client_secret=${canary()}`, headers: form });
  await send('/v1/attribution', { headers: { authorization: `Bearer ${canary()}` } });
  await send('/v1/attribution', { headers: { authorization: `Basic ${canary()}` } });
  await send('/v1/attribution', { key: `ask_test_${canary()}` });
  await send(`/v1/attribution?prompt=${canary()}&sort=${canary()}`, { key: keys.read });
  await send(`/v1/attribution?cursor=${canary()}`, { key: keys.read });
  await send('/v1/attribution', { key: keys.read, headers: { traceparent: canary(), 'x-prompt': canary() } });
  await send('/v1/attribution', { key: keys.read, headers: { 'x-tenant-id': canary(), cookie: canary() } });

  await instance.runtime.idle();
  const records = await listAllRecords(instance.baseUrl, keys.read);
  responses.push(JSON.stringify(records));
  for (const { id } of records) await send(`/v1/attribution/${String(id)}`, { key: keys.read });
  for (const table of Object.keys(instance.credentials.tables)) {
    for (const row of await engines.rows(table)) {
      rows.push(JSON.stringify(row));
      const dictionary = dictionaries[Number(row['dictionary']?.N)];
      const detail = row['detail']?.B;
      if (dictionary !== undefined && detail !== undefined) {
        details.push(inflateRawSync(detail, { dictionary }).toString('utf8'));
      }
    }
  }
  engines.close();
  await instance.stop();
});
afterAll(async () => {
  await instance?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('prompt and completion content', () => {
  it.each(names)('is removed from member %s, and the response lists the removed paths', (name) => {
    expect(scrubbed.get(name)).toEqual(
      [
        name,
        `metadata.${name}`,
        `spans.${name}`,
        `spans.attributes.${name}`,
        ...(AMOUNTS.has(name) ? [] : [`cost_breakdown.${name}`]),
      ].sort(),
    );
  });

  it('was part of accepted and of rejected events', () => {
    expect(batchResults).toMatchObject({ accepted: names.length, rejected: names.length });
    expect(rows.length).toBeGreaterThan(3 * names.length);
  });

  it('appears in no response', () => {
    expect(responses.filter((text) => text.includes(CANARY) || text.includes(QUEUED_CANARY))).toEqual([]);
  });

  it('appears in no table', () => {
    expect(rows.filter((row) => /kanarie/.test(row))).toEqual([]);
  });

  it('appears in no decompressed record', () => {
    // A single HTTP event, a batched event and a queue event: each created a record.
    const records = new Set(details.map((detail) => Detail.parse(JSON.parse(detail)).record.id));
    expect(records.size).toBe(3 * names.length + SECRET_RECORDS + LOGGED_RECORDS);
    expect(details.filter((detail) => !detail.includes('"requested_model":"'))).toEqual([]);
    expect(details.filter((detail) => /kanarie/.test(detail))).toEqual([]);
  });

  it('appears in no file when sent over HTTP: no database, log, queue or artefact', () => {
    expect(filesWith(CANARY)).toEqual([]);
  });

  it('appears only in the ingestion queue when a producer sent it there', () => {
    // The queue holds producer messages until they are read. Deleted messages stay in free pages of the engine's file until
    // they are overwritten. So the test checks the rows of the file, not its bytes.
    const queueFiles = filesBelow(join(dataDir, 'queues'));
    const [database = ''] = queueFiles.filter((file) => file.endsWith('.db'));
    const messages = rowsOf(database);

    expect(filesWith(QUEUED_CANARY).filter((name) => !name.startsWith(`queues${sep}`))).toEqual([]);
    expect(messages).toContain('malformed_message');
    expect(messages).toContain('invalid_event');
    expect(messages).not.toContain(QUEUED_CANARY);
  });
});

it('drops a label with a secret, accepts the event, and says which kind of secret it is', () => {
  expect(secretAnswer).toMatchObject({
    status: 'queued',
    scrubbed: ['attributed_identity', 'api_key_name', 'tags'],
    warnings: [
      { pointer: '/attributed_identity', detail: expect.stringContaining('Anthropic API key') },
      { pointer: '/api_key_name' },
      { pointer: '/tags/1' },
    ],
  });
});

describe('credentials', () => {
  it('appear in no file except credentials.json', () => {
    const files = secrets.flatMap(filesWith);

    expect(secrets).toHaveLength(5);
    expect(files).toEqual([]);
  });

  it('appears in no response', () => {
    expect(responses.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  });
});

it('searches the files that contain logs, queues and tables', () => {
  // Guards the searches above: if logs or databases moved elsewhere, they would pass without checking anything.
  expect(
    filesWith('event sent to the dead-letter queue').filter((name) => name.startsWith('logs')),
  ).not.toEqual([]);
  expect(filesWith('malformed_message').filter((name) => name.startsWith('queues'))).not.toEqual([]);
  expect(filesWith('acme').some((name) => name.startsWith('dynamodb.db'))).toBe(true);
});
