import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseApiKey } from '../../functions/access/apiKey.ts';
import { type Answer, call } from '../support/client.ts';
import { temporaryDirectory } from '../support/instance.ts';
import {
  type AdminInstance,
  CLIENTS,
  CreatedClient,
  CreatedKey,
  KEYS,
  RIGHTS,
  startAdminInstance,
} from './adminInstance.ts';

const dataDir = temporaryDirectory();
let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance({ dataDir });
});
afterAll(async () => {
  await at?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('leaves no secret in any table, queue, log or file', async () => {
  const secrets: string[] = [];
  const keep = ({ body }: Answer): void => {
    const key = CreatedKey.safeParse(body).data;
    const client = CreatedClient.safeParse(body).data;
    const random = key === undefined ? client?.client_secret?.slice(4) : parseApiKey(key.secret)?.secret;
    if (random) secrets.push(random);
  };
  const twice = async (send: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> => {
    const key = `canary-${randomUUID()}`;
    secrets.push(key);
    const [first, again] = [await send(key), await send(key)];
    expect(again.text).toBe(first.text);
    keep(first);
    return first;
  };

  const key = CreatedKey.parse(
    (await twice((idempotencyKey) => at.send(KEYS, { body: RIGHTS, idempotencyKey }))).body,
  );
  await twice((idempotencyKey) => at.keys.rotate(key.id, { overlap_seconds: 60 }, { idempotencyKey }));
  const made = await twice((idempotencyKey) => at.send(CLIENTS, { body: RIGHTS, idempotencyKey }));
  const { client_id } = CreatedClient.parse(made.body);
  await twice((idempotencyKey) => at.clients.rotate(client_id, undefined, { idempotencyKey }));
  // Pasted where an id belongs, or sent as something else than a credential.
  const pasted = await at.keys.create();
  secrets.push(parseApiKey(pasted.secret)?.secret ?? '');
  await at.keys.revoke(pasted.secret);
  await at.keys.rotate(pasted.secret);
  await at.send(`${KEYS}?cursor=${pasted.secret}`);
  await at.send(KEYS, { body: { ...RIGHTS, scopes: [pasted.secret] } });
  await call(at.baseUrl, KEYS, { headers: { authorization: `Basic ${pasted.secret}` } });
  await at.instance.runtime.idle();

  const rows = new Map<string, string>();
  for (const table of Object.keys(at.instance.credentials.tables)) {
    rows.set(table, JSON.stringify(await at.engines.rows(table)));
  }
  await at.instance.stop();
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'credentials.json')
    .map((entry) => join(entry.parentPath, entry.name));
  const found = files.filter((file) => {
    const bytes = readFileSync(file);
    return secrets.some((secret) => bytes.includes(secret));
  });

  expect(secrets).toHaveLength(9);
  for (const table of ['access', 'audit', 'outbox', 'idempotency', 'limits']) {
    expect(rows.get(table)).toContain('"S":');
  }
  expect(secrets.filter((secret) => [...rows.values()].some((text) => text.includes(secret)))).toEqual([]);
  expect(found.map((file) => relative(dataDir, file))).toEqual([]);
  // Were the tables kept elsewhere one day, the search would find nothing and say nothing.
  expect(files.some((file) => readFileSync(file).includes(key.id.slice(4, 12)))).toBe(true);
});
