import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { credentialReader } from '../../../functions/identity/access/principals/credential.store.ts';
import { secretMatches } from '../../../functions/identity/access/principals/secret.ts';
import { tenantReader } from '../../../functions/platform/tenancy/tenant.store.ts';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';
import { errorText } from '../../../tools/operator/errorText.ts';
import { tenantCommand } from '../../../tools/operator/tenantCommand.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const run = promisify(execFile);
const dataDir = temporaryDirectory();
const tenants = tenantReader('tenants');
let live: LiveTables;

interface Printed {
  readonly code: unknown;
  readonly output: string;
  readonly errorOutput: string;
}

/** Runs the command in this process. */
const tenant = async (...args: string[]): Promise<Printed> => {
  try {
    return { code: 0, output: await tenantCommand([...args, '--data-dir', dataDir]), errorOutput: '' };
  } catch (error) {
    return { code: 1, output: '', errorOutput: errorText(error) };
  }
};

/** Runs `bin/tenant.ts` in a child process, as an operator does. */
const tenantProcess = async (...args: string[]): Promise<Printed> => {
  try {
    const { stdout, stderr } = await run(process.execPath, [
      resolve('bin/tenant.ts'),
      ...args,
      '--data-dir',
      dataDir,
    ]);
    return { code: 0, output: stdout, errorOutput: stderr };
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    return { code, output: String(stdout), errorOutput: String(stderr) };
  }
};

beforeAll(async () => {
  live = await startTables();
  const instance = {
    base_url: 'http://127.0.0.1:1',
    endpoints: { dynamodb: process.env['AWS_ENDPOINT_URL_DYNAMODB'], sfn: null },
    aws_credentials: {
      access_key_id: LOCAL_CREDENTIALS.accessKeyId,
      secret_access_key: LOCAL_CREDENTIALS.secretAccessKey,
    },
    outputs: { TableTenants: 'tenants', TableAccess: 'access', TableAudit: 'audit' },
  };
  writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(instance));
});
afterAll(async () => {
  await live.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('creates a tenant on the free plan, prints a valid API key and does not store its secret', async () => {
  const { output } = await tenantProcess('create', '--name', 'Initech & Sons');

  const { api_key: secret, ...printed } = JSON.parse(output);
  const parsed = parseApiKey(secret);
  const stored = await credentialReader('access', Math.random).apiKey(parsed?.keyId ?? '');
  expect(printed).toMatchObject({ tenant_id: 'initech-sons', plan: 'free' });
  expect(await tenants.tenant('initech-sons')).toEqual(printed);
  expect(secretMatches(stored?.secrets ?? null, parsed?.secret ?? '', Date.now())).toBe(true);
  expect(JSON.stringify(stored)).not.toContain(parsed?.secret);
});

it('issues a new admin key for a tenant whose keys are lost, with an audit entry', async () => {
  await tenant('create', '--name', 'locked-out');
  const found = await tenants.tenant('locked-out');

  const { output } = await tenant('key', 'locked-out', '--name', 'after the loss');

  const parsed = parseApiKey(JSON.parse(output).api_key);
  const stored = await credentialReader('access', Math.random).apiKey(parsed?.keyId ?? '');
  expect(stored).toMatchObject({
    tenant_id: found?.tenant_id,
    name: 'after the loss',
    created_by: 'operator',
  });
  expect(stored?.scopes).toEqual(expect.arrayContaining([...scopeNames]));
  expect(secretMatches(stored?.secrets ?? null, parsed?.secret ?? '', Date.now())).toBe(true);
});

it('changes plan and limits', async () => {
  await tenant('create', '--name', 'changing');

  const changes = ['--plan', 'standard', '--limit', 'ingest=7.5/30', '--limit', 'read=1/2'];
  await tenant('set', 'changing', ...changes);

  const changed = await tenants.tenant('changing');
  expect(changed).toMatchObject({
    plan: 'standard',
    limits: { ingest: { rate: 7.5, burst: 30 }, read: { rate: 1, burst: 2 } },
  });
});

it('registers a sender for a tenant', async () => {
  await tenant('create', '--name', 'sending');

  await tenant('sender', 'sending', 'AIDASENDER');

  expect(await tenants.tenantOfSender('AIDASENDER')).toBe('sending');
});

it('removes a sender from its own tenant, and fails for another tenant', async () => {
  for (const name of ['sends', 'waits']) await tenant('create', '--name', name);
  await tenant('sender', 'sends', 'AIDAMOVING');

  const rejected = await tenant('sender', 'waits', 'AIDAMOVING', '--remove');
  const before = await tenants.tenantOfSender('AIDAMOVING');
  await tenant('sender', 'sends', 'AIDAMOVING', '--remove');

  expect([rejected.code, before, await tenants.tenantOfSender('AIDAMOVING')]).toEqual([1, 'sends', null]);
});

it('sets lanes, key lifetime and limits, and restores the limits of the plan', async () => {
  await tenant('create', '--name', 'laned', '--residency', 'eu', '--key-lifetime', '90');
  await tenant('set', 'laned', '--limit', 'read=1/2', '--residency', 'us', '--residency', 'eu');
  const changed = await tenants.tenant('laned');

  await tenant('set', 'laned', '--limit', 'read=default', '--residency', 'none', '--key-lifetime', '7');

  expect(changed).toMatchObject({
    residency: ['us', 'eu'],
    key_lifetime_days: 90,
    limits: { read: { rate: 1 } },
  });
  expect(await tenants.tenant('laned')).toMatchObject({ residency: [], key_lifetime_days: 7, limits: {} });
});

it('adds a user, changes the role and removes the user', async () => {
  await tenant('create', '--name', 'people');
  const tag = (await tenants.tenant('people'))?.tag ?? '';
  const readUser = () => credentialReader('access', Math.random).user(tag, 'ann@example.org');

  await tenant('user', 'people', 'Ann@Example.org', '--role', 'viewer');
  const first = await readUser();
  await tenant('user', 'people', 'ann@example.org', '--role', 'admin');
  const second = await readUser();
  await tenant('user', 'people', 'ann@example.org', '--remove');

  expect([first?.role, second?.role, second?.user_id]).toEqual(['viewer', 'admin', first?.user_id]);
  expect([second?.removed_at, (await readUser())?.removed_at]).toEqual([null, expect.any(String)]);
});

it('stores contract prices, and rejects an invalid price list', async () => {
  await tenant('create', '--name', 'priced');
  const file = join(dataDir, 'prices.json');
  const price = { provider: 'openai', model: 'gpt-4o', from: '2026-01-01T00:00:00Z', input: '1.25' };
  writeFileSync(file, JSON.stringify([price]));
  await tenant('prices', 'priced', file);

  writeFileSync(file, JSON.stringify([{ ...price, input: 1.25 }]));
  const rejected = await tenant('prices', 'priced', file);

  expect(rejected.code).toBe(1);
  expect(await tenants.contractPrices('priced')).toEqual([price]);
  expect(JSON.parse((await tenant('prices', 'priced')).output)).toEqual([price]);
});

it('prints a reason without a stack trace, and exits with 1, when the process cannot run the command', async () => {
  const { code, output, errorOutput } = await tenantProcess('show', 'nobody');

  expect([code, output]).toEqual([1, '']);
  expect(errorOutput).toBe('Tenant "nobody" does not exist.\n');
});

describe('an invalid tenant command', () => {
  it.each([
    ['a tenant id that already exists', ['create', '--name', 'first', '--id', 'twice'], 'already exists'],
    ['an unknown tenant', ['show', 'nobody'], 'Tenant "nobody" does not exist.'],
    ['a key for an unknown tenant', ['key', 'nobody'], 'Tenant "nobody" does not exist.'],
    ['a sender for an unknown tenant', ['sender', 'nobody', 'AIDA'], 'Tenant "nobody" does not exist.'],
    ['an invalid tenant id', ['create', '--name', 'x', '--id', 'Not An Id'], 'lower-case letters'],
    ['an unknown plan', ['create', '--name', 'golden', '--plan', 'gold'], 'Invalid'],
    ['a limit of an unknown class', ['set', 'twice', '--limit', 'everything=1/1'], 'Invalid'],
    ['a user without a role', ['user', 'twice', 'ann@example.org'], 'Invalid'],
    ['an unknown user', ['user', 'twice', 'bob@example.org', '--remove'], 'does not exist.'],
    ['a key lifetime of zero days', ['set', 'twice', '--key-lifetime', '0'], 'a number of days'],
    ['an unknown command', ['destroy', 'twice'], 'Unknown command "destroy"'],
  ])('prints the reason and changes nothing for %s', async (_, args, reason) => {
    if ((await tenants.tenant('twice')) === null) await tenant('create', '--name', 'twice');
    const before = await tenants.tenant('twice');

    const { code, errorOutput } = await tenant(...args);

    expect(code).toBe(1);
    expect(errorOutput).toContain(reason);
    expect(await tenants.tenant('twice')).toEqual(before);
    expect(await tenants.tenant('golden')).toBeNull();
  });
});

describe('erase-person', () => {
  it.each([
    ['without the name', ['acme-person'], 'Set the name as the events have it.'],
    ['without its confirmation', ['acme-person', 'jane'], '--confirm jane'],
    [
      'for a word of the stored documents',
      ['acme-person', 'owner', '--confirm', 'owner'],
      '"owner" is a word',
    ],
    ['for the id of the tenant', ['acme-person', 'acme-person', '--confirm', 'acme-person'], 'is a word'],
    [
      'with a pseudonym that is no random one',
      ['acme-person', 'jane', '--confirm', 'jane', '--as', 'john'],
      'erased-0123456789abcdef',
    ],
  ])('refuses to start %s', async (_, args, message) => {
    await tenant('create', '--name', 'acme-person');

    const { code, errorOutput } = await tenant('erase-person', ...args);

    expect(code).toBe(1);
    expect(errorOutput).toContain(message);
  });
});
