import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../sdk/cli/src/run.ts';
import { Browser } from '../local/engines/browser.ts';
import { call } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
import { completeSignIn, registerClient } from '../support/signIn.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import {
  attribution,
  home,
  instance,
  keys,
  PRICED,
  sink,
  UNPRICED,
  useCommandLine,
} from './commandLineHarness.ts';

useCommandLine();

describe('the login of the command line', () => {
  it('stores a key that only its owner can read, and uses it afterwards', async () => {
    const path = join(home, 'attribution/credentials.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, 'attribution'))).toEqual(['credentials.json']);

    const { code, out } = await attribution(['whoami', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: 'api_key', tenant: { name: 'acme' } });
  });

  it('does not replace a stored key with one that the service refuses', async () => {
    const before = readFileSync(join(home, 'attribution/credentials.json'), 'utf8');

    const { code, err } = await attribution(['login'], { secret: 'wrong' });
    expect(code).toBe(3);
    expect(err).toContain('INVALID_CREDENTIALS');
    expect(err).not.toContain('wrong\n');
    expect(readFileSync(join(home, 'attribution/credentials.json'), 'utf8')).toBe(before);
  });

  it('never sends a stored key to another service', async () => {
    const { code, err } = await attribution(['whoami', '--base-url', 'https://other.example.com']);

    expect(code).toBe(3);
    expect(err).toContain('Not logged in at https://other.example.com');
  });

  it('prefers the environment to the stored login', async () => {
    const env = { XDG_CONFIG_HOME: home, ATTRIBUTION_API_KEY: keys.ingest };

    const { code, err } = await attribution(['records'], { env });
    expect(code).toBe(3);
    expect(err).toContain('INSUFFICIENT_SCOPE');
  });

  it('forgets the key on logout', async () => {
    const env = { XDG_CONFIG_HOME: temporaryDirectory(), ATTRIBUTION_BASE_URL: instance.baseUrl };
    await attribution(['login'], { env, secret: keys.admin });

    expect((await attribution(['logout'], { env })).code).toBe(0);
    expect((await attribution(['whoami'], { env })).code).toBe(3);
    expect(readFileSync(join(env.XDG_CONFIG_HOME, 'attribution/credentials.json'), 'utf8')).not.toContain(
      keys.admin,
    );
  });
});

describe('the sign-in of the command line with a browser', () => {
  const freePort = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  /** Signs the demo user in. Returns the environment of the command and the file with the tokens. */
  const signIn = async () => {
    const port = await freePort();
    const { client_id } = await registerClient(instance, {
      token_endpoint_auth_method: 'none',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const env = { XDG_CONFIG_HOME: temporaryDirectory(), ATTRIBUTION_BASE_URL: instance.baseUrl };
    const err = sink();
    const finished = run(['login', '--client-id', client_id, '--port', String(port)], {
      env,
      stdout: sink().stream,
      stderr: err.stream,
      readSecret: async () => '',
      signal: new AbortController().signal,
      now: Date.now,
    });
    await expect.poll(err.text).toContain('code_challenge=');
    const forged = await fetch(`http://127.0.0.1:${port}/callback?code=a&state=b`);
    const start = new URL(/https?:\S+/.exec(err.text())?.[0] ?? '');
    await completeSignIn(new Browser(), start, demoTenants(instance.credentials).acme.user);
    return {
      env,
      forged,
      code: await finished,
      said: err.text(),
      file: join(env.XDG_CONFIG_HOME, 'attribution/credentials.json'),
    };
  };

  const tokensIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).services[instance.baseUrl];

  it('stores the tokens of the user, renews them once for parallel commands, and ends them on logout', async () => {
    const { env, forged, code, file, said } = await signIn();
    expect([forged.status, code], said).toEqual([404, 0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const first = tokensIn(file);
    // As after fifteen minutes.
    const ended = { ...first, expires_at: new Date(0).toISOString() };
    writeFileSync(file, JSON.stringify({ current: null, services: { [instance.baseUrl]: ended } }));

    const callers = await Promise.all([1, 2, 3].map(() => attribution(['whoami', '--json'], { env })));
    expect(callers.map((caller) => caller.code)).toEqual([0, 0, 0]);
    expect(JSON.parse(callers[0]?.out ?? '')).toMatchObject({ type: 'user' });
    const renewed = tokensIn(file);
    expect(renewed.refresh_token).not.toBe(first.refresh_token);

    expect((await attribution(['logout'], { env })).code).toBe(0);
    writeFileSync(file, JSON.stringify({ current: null, services: { [instance.baseUrl]: renewed } }));
    expect((await attribution(['whoami'], { env })).code).toBe(3);
  });
});

describe('the lists of the command line', () => {
  it('shows an unknown cost as unknown, and a known one to the last digit', async () => {
    const { out } = await attribution(['records', '--sort', '-cost_usd']);

    expect(out.split('\n')[0]).toMatch(/^ID +TIME +OWNER +SERVICE +PROVIDER +MODEL +COST USD/);
    expect(out).toMatch(/ ann +ranking +openai +gpt-4o\S* +0\.0065 /);
    expect(out).toMatch(/ bob +ranking +openai +no-such-model +unknown /);
  });

  it('prints one document for a page, and JSON Lines for all pages', async () => {
    const page = await attribution(['records', '--limit', '1', '--json']);
    const all = await attribution(['records', '--limit', '1', '--all', '--json']);

    expect(JSON.parse(page.out)).toMatchObject({ data: [{}], page: { has_more: true } });
    const records = all.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(records.map(({ event_id }) => event_id))).toEqual(new Set([PRICED, UNPRICED]));
  });

  it('prints the columns of a report as CSV, also of regions and tags, and as JSON Lines', async () => {
    const report = ['usage', '--group-by', 'region,tag:env'];
    const csv = await attribution([...report, '--csv']);
    const lines = await attribution([...report, '--jsonl']);

    expect(csv.out.split('\n')[0]).toBe(
      'region,tag:env,calls,cost_usd,usd_per_call,energy_wh,carbon_g,input_tokens,output_tokens',
    );
    expect(JSON.parse(lines.out.split('\n')[0] ?? '')).toHaveProperty('invocations');
    expect(csv.err + lines.err).toBe('');
    expect(await attribution([...report, '--csv', '--json'])).toMatchObject({ code: 2 });
  });

  it('explains how the cost changed, as a table and with all digits', async () => {
    const table = await attribution(['changes', '--group-by', 'owner']);
    const csv = await attribution(['changes', '--group-by', 'owner', '--csv']);

    expect(table.out).toMatch(
      /^OWNER +BEFORE USD +COST USD +CHANGE USD +VOLUME +MIX +TOKENS +CACHE +PRICE +UNDIVIDED$/m,
    );
    expect(table.err).toMatch(/^Change: .+ USD, from .+, compared with /m);
    expect(csv.out).toMatch(
      /^owner,before_usd_low,before_usd_high,cost_usd_low,cost_usd_high,change_usd_low,change_usd_high,volume,/,
    );
  });

  it('gives unit costs, as a table and with all digits', async () => {
    const table = await attribution(['unit-costs', '--group-by', 'owner']);
    const csv = await attribution(['unit-costs', '--group-by', 'owner', '--csv']);

    expect(table.out).toMatch(
      /^OWNER +CALLS +COST USD +PER CALL +PER PERSON +PER M INPUT +PER M CACHED +PER M OUTPUT +CACHE SHARE +CACHE SAVED +FAILED +FAILED USD +INCOMPLETE +INCOMPLETE USD$/m,
    );
    expect(table.err).toMatch(/^All calls: .+ USD a call, from /m);
    expect(csv.out).toMatch(/^owner,calls,cost_usd,per_call,/);
  });

  it('suggests savings, or says that there are none', async () => {
    const { out, err, code } = await attribution(['savings']);

    expect(code).toBe(0);
    expect(out + err).toMatch(
      /^SAVING +OWNER +SERVICE +MODEL OR POOL +INSTEAD +USD IN 30 DAYS |^No savings/m,
    );
  });

  it('names days in the time zone of the tenant, and prints the address of the console', async () => {
    const { out } = await attribution(['usage', '--interval', 'day']);

    expect(out).toMatch(/^\d{4}-\d\d-\d\d /m);
    expect((await attribution(['open', '--record', 'a/b'])).out).toBe(
      `${instance.baseUrl}/console/records/a%2Fb\n`,
    );
  });

  it('takes any filter of the API, and shows which one is invalid', async () => {
    const filtered = await attribution(['records', '--filter', 'cost_usd[gte]=0.001', '--json']);
    const invalid = await attribution(['records', '--filter', 'ownr=ann']);

    expect(JSON.parse(filtered.out).data).toHaveLength(1);
    expect(invalid.code).toBe(1);
    expect(invalid.err).toContain('did you mean owner?');
    expect(invalid.err).toMatch(/^Trace: [0-9a-f]{32}$/m);
  });

  it.each([
    [['usage', '--from', '2026-11-25', '--to', '2026-11-25'], 1, '2026-11-26'],
    [['usage', '--from', '2026-11-25', '--from', '2026-11-26'], 2, '--from is repeated'],
    [['records', '--owner', 'a', '--owner', 'b'], 2, '--owner is repeated'],
    [['records', '--owner', 'a', '--filter', 'owner=b'], 1, 'repeated'],
    [['records', '--filter', 'owner=a', '--filter', 'owner=b'], 1, 'repeated'],
    [['records', '--from', '2026-11-25T00:00:00Z', '--to', '2026-11-25T00:00:00Z'], 1, 'no instant'],
    [['export', '--from', '2026-11-25', '--to', '2026-11-25'], 1, 'later than from'],
  ])('refuses %j, and never answers with zero', async (args, code, reason) => {
    const refused = await attribution(args);

    expect(refused).toMatchObject({ code, out: '' });
    expect(refused.err).toContain(reason);
  });

  it('names once what is allowed', async () => {
    const { err } = await attribution(['records', '--sort', 'price']);

    expect(err.split('-cost_usd')).toHaveLength(2);
  });

  it('takes a list as a repeated filter', async () => {
    const { code, out } = await attribution([
      'records',
      '--json',
      '--filter',
      'provider[in]=nobody',
      '--filter',
      'provider[in]=openai',
    ]);

    expect(code).toBe(0);
    expect(JSON.parse(out).data.length).toBeGreaterThan(0);
  });

  it('explains one record', async () => {
    const { data } = JSON.parse((await attribution(['records', '--owner', 'ann', '--json'])).out);

    const { out } = await attribution(['records', 'get', data[0].id]);
    expect(out).toMatch(/^cost_usd +0\.0065$/m);
    expect(out).toContain('\nexplanation:\n');
  });

  it('keeps suppressed groups unnamed and unpriced calls out of the cost', async () => {
    const { out, err } = await attribution(['usage', '--group-by', 'owner']);

    expect(out).toContain('(suppressed)');
    expect(out).not.toContain('ann');
    expect(out).toContain('0.0065 + 1 unknown');
    expect(err).toContain('fewer than five persons');
  });

  it('lists who changed what, with the members before and after', async () => {
    const { code, out } = await attribution(['audit', '--limit', '200']);

    expect(code).toBe(0);
    expect(out).toMatch(/^AT +ACTION +ACTOR +RESOURCE +OUTCOME +CHANGES/);
    expect(out).toMatch(/api_key\.create .*succeeded.* -> /);
  });

  it('lists budgets with what is spent', async () => {
    const { code, out, err } = await attribution(['budgets']);

    expect(code).toBe(0);
    expect(out + err).toContain('There is no budget.');
  });

  it('says what of the scope of a budget, or of a filter, no call has', async () => {
    const scope = { service: 'no-such-service' };
    const body = { name: 'Misspelt', ceiling_usd: '5', period: 'month', scope };
    await call(instance.baseUrl, '/api/v1/budgets', { key: keys.admin, body });
    const budgets = () => attribution(['budgets']);
    const listed = await attribution(['records', '--service', 'no-such-service']);

    await expect.poll(async () => (await budgets()).err).toMatch(/Misspelt: \/scope\/service: No call/);
    expect(listed.err).toMatch(/^service: No record of the period/m);
  });

  it('replaces control characters of labels, which could change what a terminal shows', async () => {
    const { err } = await attribution(['records', '--filter', 'a\u001b[2Jb=1']);

    expect(err).not.toContain('\u001b');
  });
});
