import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { startBillProviders } from '../support/billProviders.ts';
import { type Answer, call } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { CLIENTS, CreatedClient, CreatedKey, KEYS, RIGHTS, startAdminInstance } from './adminInstance.ts';

const SOURCES = '/api/v1/bill-sources';
const dataDir = temporaryDirectory();
const providerKey = `sk-admin-${randomUUID()}`;
const providers = await startBillProviders({ openai: providerKey, anthropic: providerKey });
const api = await startAdminInstance({ dataDir, environment: providers.environment });
afterAll(async () => {
  await api.stop();
  providers.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('stores no secret of a key, a client or a bill source in any table, queue, log or file', async () => {
  const secrets: string[] = [];
  const collectSecret = ({ body }: Answer): void => {
    const key = CreatedKey.safeParse(body).data;
    const client = CreatedClient.safeParse(body).data;
    const random = key === undefined ? client?.client_secret?.slice(4) : parseApiKey(key.secret)?.secret;
    if (random) secrets.push(random);
  };
  const sendTwice = async (send: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> => {
    const key = `canary-${randomUUID()}`;
    secrets.push(key);
    const [first, again] = [await send(key), await send(key)];
    expect(again.text).toBe(first.text);
    collectSecret(first);
    return first;
  };

  const key = CreatedKey.parse(
    (await sendTwice((idempotencyKey) => api.send(KEYS, { body: RIGHTS, idempotencyKey }))).body,
  );
  await sendTwice((idempotencyKey) => api.keys.rotate(key.id, { overlap_seconds: 60 }, { idempotencyKey }));
  const created = await sendTwice((idempotencyKey) => api.send(CLIENTS, { body: RIGHTS, idempotencyKey }));
  const { client_id } = CreatedClient.parse(created.body);
  await sendTwice((idempotencyKey) => api.clients.rotate(client_id, undefined, { idempotencyKey }));
  // A secret sent as an id or in another wrong place.
  const pasted = await api.keys.create();
  secrets.push(parseApiKey(pasted.secret)?.secret ?? '');
  await api.keys.revoke(pasted.secret);
  await api.keys.rotate(pasted.secret);
  await api.send(`${KEYS}?cursor=${pasted.secret}`);
  await api.send(KEYS, { body: { ...RIGHTS, scopes: [pasted.secret] } });
  await call(api.baseUrl, KEYS, { headers: { authorization: `Basic ${pasted.secret}` } });
  const revokedKey = `sk-admin-${randomUUID()}`;
  secrets.push(providerKey, revokedKey);
  const source = { provider: 'openai', name: 'OpenAI', credential: providerKey };
  const sourceId = String(
    (await sendTwice((idempotencyKey) => api.send(SOURCES, { body: source, idempotencyKey }))).body['id'],
  );
  await api.instance.runtime.runSchedule('WorkersBillImports');
  // A provider that repeats the credential in its response.
  providers.openai.state.instead = () => ({ status: 401, body: `Incorrect API key: ${revokedKey}` });
  const rotation = { method: 'PATCH', body: { credential: revokedKey } };
  await sendTwice((idempotencyKey) => api.send(`${SOURCES}/${sourceId}`, { ...rotation, idempotencyKey }));
  await api.instance.runtime.runSchedule('WorkersBillImports');
  expect((await api.send(`${SOURCES}/${sourceId}`)).body['last_error']).toBe('refused');
  // Credentials in wrong places.
  await api.send(SOURCES, { body: { ...source, name: providerKey } });
  await api.send(SOURCES, { body: { ...source, provider: providerKey } });
  await api.send(`${SOURCES}/${providerKey}`);
  await api.instance.runtime.idle();

  const rows = new Map<string, string>();
  for (const table of Object.keys(api.instance.credentials.tables)) {
    rows.set(table, JSON.stringify(await api.engines.rows(table)));
  }
  await api.instance.stop();
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'credentials.json')
    .map((entry) => join(entry.parentPath, entry.name));
  const filesWithSecrets = files.filter((file) => {
    const bytes = readFileSync(file);
    return secrets.some((secret) => bytes.includes(secret));
  });

  expect(secrets).toHaveLength(13);
  for (const table of ['access', 'audit', 'outbox', 'idempotency', 'limits']) {
    expect(rows.get(table)).toContain('"S":');
  }
  expect(secrets.filter((secret) => [...rows.values()].some((text) => text.includes(secret)))).toEqual([]);
  expect(filesWithSecrets.map((file) => relative(dataDir, file))).toEqual([]);
  // Guards the search: if the tables moved elsewhere, it would pass without checking anything.
  expect(files.some((file) => readFileSync(file).includes(key.id.slice(4, 12)))).toBe(true);
});
