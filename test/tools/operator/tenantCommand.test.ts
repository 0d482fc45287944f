import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../../functions/access/apiKey.ts';
import { credentialReader } from '../../../functions/access/credential.store.ts';
import { secretMatches } from '../../../functions/access/secret.ts';
import { tenantReader } from '../../../functions/tenancy/tenant.store.ts';
import { type LiveTables, startTables } from '../../shared/tables.ts';
import { temporaryDirectory } from '../../support/instance.ts';

const run = promisify(execFile);
const dataDir = temporaryDirectory();
const tenants = tenantReader('tenants');
let live: LiveTables;

/** The command as an operator types it. */
const tenantCommand = async (
  ...args: string[]
): Promise<{ code: unknown; output: string; complaint: string }> => {
  const command = [resolve('bin/tenant.ts'), ...args, '--data-dir', dataDir];
  try {
    const { stdout, stderr } = await run(process.execPath, command);
    return { code: 0, output: stdout, complaint: stderr };
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    return { code, output: String(stdout), complaint: String(stderr) };
  }
};

beforeAll(async () => {
  live = await startTables();
  const instance = {
    base_url: 'http://127.0.0.1:1',
    endpoints: { dynamodb: process.env['AWS_ENDPOINT_URL_DYNAMODB'], sfn: null },
    outputs: { TableTenants: 'tenants', TableAccess: 'access', TableAudit: 'audit' },
  };
  writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(instance));
});
afterAll(async () => {
  await live.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('opens a tenant on the free plan with a key that works, shown once', async () => {
  const { output } = await tenantCommand('create', '--name', 'Initech & Sons');

  const { api_key: secret, ...printed } = JSON.parse(output);
  const parsed = parseApiKey(secret);
  const stored = await credentialReader('access').apiKey(parsed?.keyId ?? '');
  expect(printed).toMatchObject({ tenant_id: 'initech-sons', plan: 'free', shards: [{ from: 0, count: 1 }] });
  expect(await tenants.tenant('initech-sons')).toEqual(printed);
  expect(secretMatches(stored?.secrets ?? null, parsed?.secret ?? '', Date.now())).toBe(true);
  expect(JSON.stringify(stored)).not.toContain(parsed?.secret);
});

it('changes plan, limits and shards, the shards only from an hour ahead', async () => {
  await tenantCommand('create', '--name', 'changing');
  const before = Date.now();

  const changes = ['--plan', 'standard', '--limit', 'ingest=7.5/30', '--limit', 'read=1/2', '--shards', '5'];
  await tenantCommand('set', 'changing', ...changes);

  const tenant = await tenants.tenant('changing');
  expect(tenant).toMatchObject({
    plan: 'standard',
    limits: { ingest: { rate: 7.5, burst: 30 }, read: { rate: 1, burst: 2 } },
    shards: [{ from: 0, count: 1 }, { count: 5 }],
  });
  expect(tenant?.shards[1]?.from).toBeGreaterThanOrEqual(before + 60 * 60 * 1_000);
});

it('registers a sender', async () => {
  await tenantCommand('create', '--name', 'sending');

  await tenantCommand('sender', 'sending', 'AIDASENDER');

  expect(await tenants.tenantOfSender('AIDASENDER')).toBe('sending');
});

it('takes a sender back from the tenant it sends for, and from no other', async () => {
  for (const name of ['sends', 'waits']) await tenantCommand('create', '--name', name);
  await tenantCommand('sender', 'sends', 'AIDAMOVING');

  const refused = await tenantCommand('sender', 'waits', 'AIDAMOVING', '--remove');
  const before = await tenants.tenantOfSender('AIDAMOVING');
  await tenantCommand('sender', 'sends', 'AIDAMOVING', '--remove');

  expect([refused.code, before, await tenants.tenantOfSender('AIDAMOVING')]).toEqual([1, 'sends', null]);
});

it('sets lanes, key life and limits, and gives the plan’s back', async () => {
  await tenantCommand('create', '--name', 'laned', '--residency', 'eu', '--key-lifetime', '90');
  await tenantCommand('set', 'laned', '--limit', 'read=1/2', '--residency', 'us', '--residency', 'eu');
  const changed = await tenants.tenant('laned');

  await tenantCommand(
    'set',
    'laned',
    '--limit',
    'read=default',
    '--residency',
    'none',
    '--key-lifetime',
    '7',
  );

  expect(changed).toMatchObject({
    residency: ['us', 'eu'],
    key_lifetime_days: 90,
    limits: { read: { rate: 1 } },
  });
  expect(await tenants.tenant('laned')).toMatchObject({ residency: [], key_lifetime_days: 7, limits: {} });
});

it('lets a person sign in, changes the role, and ends it', async () => {
  await tenantCommand('create', '--name', 'people');
  const tag = (await tenants.tenant('people'))?.tag ?? '';
  const userNow = () => credentialReader('access').user(tag, 'ann@example.org');

  await tenantCommand('user', 'people', 'Ann@Example.org', '--role', 'viewer');
  const first = await userNow();
  await tenantCommand('user', 'people', 'ann@example.org', '--role', 'admin');
  const second = await userNow();
  await tenantCommand('user', 'people', 'ann@example.org', '--remove');

  expect([first?.role, second?.role, second?.user_id]).toEqual(['viewer', 'admin', first?.user_id]);
  expect([second?.removed_at, (await userNow())?.removed_at]).toEqual([null, expect.any(String)]);
});

it('keeps contract prices, and takes no list with a fault in it', async () => {
  await tenantCommand('create', '--name', 'priced');
  const file = join(dataDir, 'prices.json');
  const price = { provider: 'openai', model: 'gpt-4o', from: '2026-01-01T00:00:00Z', input: '1.25' };
  writeFileSync(file, JSON.stringify([price]));
  await tenantCommand('prices', 'priced', file);

  writeFileSync(file, JSON.stringify([{ ...price, input: 1.25 }]));
  const refused = await tenantCommand('prices', 'priced', file);

  expect(refused.code).toBe(1);
  expect(await tenants.contractPrices('priced')).toEqual([price]);
  expect(JSON.parse((await tenantCommand('prices', 'priced')).output)).toEqual([price]);
});

describe('a command that cannot be done', () => {
  it.each([
    ['twice the same tenant', ['create', '--name', 'first', '--id', 'twice'], 'already exists'],
    ['a tenant that is not there', ['show', 'nobody'], 'Tenant "nobody" does not exist.'],
    [
      'a sender for a tenant that is not there',
      ['sender', 'nobody', 'AIDA'],
      'Tenant "nobody" does not exist.',
    ],
    ['an id that is no id', ['create', '--name', 'x', '--id', 'Not An Id'], 'lower-case letters'],
    ['a plan nobody offers', ['create', '--name', 'golden', '--plan', 'gold'], 'Invalid'],
    ['a limit of no class', ['set', 'twice', '--limit', 'everything=1/1'], 'Invalid'],
    ['no shards', ['set', 'twice', '--shards', '0'], 'Too small'],
    ['a person without a role', ['user', 'twice', 'ann@example.org'], 'Invalid'],
    ['a person nobody knows', ['user', 'twice', 'bob@example.org', '--remove'], 'does not exist.'],
    ['a key life of no days', ['set', 'twice', '--key-lifetime', '0'], 'a number of days'],
    ['an unknown command', ['destroy', 'twice'], 'Unknown command "destroy"'],
  ])('(%s) says why and changes nothing', async (_, args, reason) => {
    if ((await tenants.tenant('twice')) === null) await tenantCommand('create', '--name', 'twice');
    const before = await tenants.tenant('twice');

    const { code, complaint } = await tenantCommand(...args);

    expect(code).toBe(1);
    expect(complaint).toContain(reason);
    expect(complaint).not.toContain('    at ');
    expect(await tenants.tenant('twice')).toEqual(before);
    expect(await tenants.tenant('golden')).toBeNull();
  });
});
