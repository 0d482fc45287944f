import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../functions/access/apiKey.ts';
import { dictionaries } from '../../functions/ledger/ledgerItemDictionary.ts';
import { contentNames } from '../ingestion/contentNames.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance, temporaryDirectory } from '../support/instance.ts';

/** Content that came by HTTP, or in a header, a form or a query: it may lie nowhere at all. */
const CANARY = 'kanarie7c1d';
/** Content a producer put on the ingestion queue itself. */
const QUEUED_CANARY = 'kanarie9e4b';
const SINGLE = '/api/v1/invocations';
const BATCH = '/api/v1/invocations/batch';

const dataDir = temporaryDirectory();
let instance: Instance;
let keys: Instance['credentials']['tenants'][number]['api_keys'];
let client: { client_id: string; client_secret: string };
/** The text of every answer. */
const logLines: string[] = [];
/** What lay in the tables while the instance ran, as text. */
const rows: string[] = [];
/** What lay compressed in the ledger, where no search of rows or files would see it. */
const details: string[] = [];
const secrets: string[] = [];

let next = 0;
/** Each time another one, so that a find tells where it was sent. */
const canary = (prefix = CANARY): string => `${prefix}-${next++}-x`;

const send = async (path: string, request: Request): Promise<Answer> => {
  const answer = await call(instance.baseUrl, path, { idempotencyKey: canary(), ...request });
  logLines.push(JSON.stringify([...answer.headers]), answer.text);
  return answer;
};
const ingest = (path: string, body: unknown): Promise<Answer> => send(path, { key: keys.ingest, body });

/** A breakdown's own members: content anywhere else. */
const AMOUNTS: ReadonlySet<string> = new Set(['input', 'output']);

/** A member of this name at the top, deep inside, and in arrays. */
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

/** Files of the data directory that hold a text, credentials.json aside: it is made to hold them. */
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
  instance = await startInstance({ dataDir, environment: { RATE_LIMIT_SCALE: '1000' } });
  const [tenant] = instance.credentials.tenants;
  if (tenant === undefined) throw new Error('no demo tenant');
  keys = tenant.api_keys;
  client = tenant.oauth_client;
  const engines = enginesOf(instance.credentials);
  // Of a key the part that is random: the rest is no secret, and may be kept apart from it.
  secrets.push(...Object.values(keys).map((key) => parseApiKey(key)?.secret ?? key), client.client_secret);

  for (const name of names) {
    const { body } = await ingest(SINGLE, someEvent(withCanaries(name)));
    scrubbed.set(name, body['scrubbed']);
    // Invalid, so that its faults are told.
    await ingest(SINGLE, someEvent({ ...withCanaries(name), input_tokens: canary() }));
  }
  const events = names.flatMap((name) => [
    someEvent(withCanaries(name)),
    someEvent({ ...withCanaries(name), provider: { [name]: canary() } }),
  ]);
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
  await engines.produce(`{"prompt":"${canary(QUEUED_CANARY)}"`);
  await engines.produce(canary(QUEUED_CANARY));
  await engines.produce(JSON.stringify([{ messages: canary(QUEUED_CANARY) }]));
  await engines.produce(JSON.stringify({ tenant_id: 'globex', events: [{ text: canary(QUEUED_CANARY) }] }));
  await engines.produce(`{"a":1,"a":"${canary(QUEUED_CANARY)}"}`);

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
  logLines.push(JSON.stringify(records));
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

describe('what a person wrote or a model answered', () => {
  it.each(names)('is dropped at the edge under the name %s, and the sender is told', (name) => {
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

  it('was in events that were taken and in events that were not', () => {
    expect(batchResults).toMatchObject({ accepted: names.length, rejected: names.length });
    expect(rows.length).toBeGreaterThan(3 * names.length);
  });

  it('comes back in no answer', () => {
    expect(logLines.filter((text) => text.includes(CANARY) || text.includes(QUEUED_CANARY))).toEqual([]);
  });

  it('lies in no table', () => {
    expect(rows.filter((row) => /kanarie/.test(row))).toEqual([]);
  });

  it('lies in no record, compressed as it is', () => {
    // By HTTP alone, in a batch, and on the queue: each made a record.
    expect(details).toHaveLength(3 * names.length);
    expect(details.filter((detail) => !detail.includes('"requested_model":"gpt-4o"'))).toEqual([]);
    expect(details.filter((detail) => /kanarie/.test(detail))).toEqual([]);
  });

  it('lies in no file when it came by HTTP: no database, log, queue or artefact', () => {
    expect(filesWith(CANARY)).toEqual([]);
  });

  it('lies nowhere but in the ingestion queue when a producer put it there', () => {
    // That queue is the producers' own store until its messages are read. What they deleted stays in the free pages of
    // this engine's file until these are written over, as on any disk: so the file's rows are judged, not its bytes.
    const queueFiles = filesBelow(join(dataDir, 'queues'));
    const [database = ''] = queueFiles.filter((file) => file.endsWith('.db'));
    const messages = rowsOf(database);

    expect(filesWith(QUEUED_CANARY).filter((name) => !name.startsWith(`queues${sep}`))).toEqual([]);
    expect(messages).toContain('malformed_message');
    expect(messages).toContain('invalid_event');
    expect(messages).not.toContain(QUEUED_CANARY);
  });
});

describe('what proves who calls', () => {
  it('lies in no file but the one made for its holder', () => {
    const found = secrets.flatMap(filesWith);

    expect(secrets).toHaveLength(5);
    expect(found).toEqual([]);
  });

  it('comes back in no answer', () => {
    expect(logLines.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  });
});

it('looks where things are', () => {
  // Were a log or a database written elsewhere one day, the searches above would find nothing and say nothing.
  expect(filesWith('event set aside').filter((name) => name.startsWith('logs'))).not.toEqual([]);
  expect(filesWith('malformed_message').filter((name) => name.startsWith('queues'))).not.toEqual([]);
  expect(filesWith('acme').some((name) => name.startsWith('dynamodb.db'))).toBe(true);
});
