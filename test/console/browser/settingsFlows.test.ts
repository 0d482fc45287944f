import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, someEvent } from '../../support/client.ts';
import { openConsole, sendCalls, signedInCookies, signIn } from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { demoTenants } from '../../support/localService.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

const Periods = z.object({ data: z.array(z.object({ period: z.string() })) });

let instance: Instance;
let cookies: Awaited<ReturnType<typeof signedInCookies>>;
let page: Page;

const tenants = () => demoTenants(instance.credentials);

beforeAll(async () => {
  instance = await sharedInstance();
  await sendCalls(instance, tenants().acme);
  cookies = await signedInCookies(instance, tenants().acme);
});
afterAll(() => instance?.stop());

const open = async (path: string): Promise<Page> => {
  page = await openConsole(instance, path, cookies);
  return page;
};

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');

describe('changing settings in the console', () => {
  it('lists an imported bill with its account, days and sender', async () => {
    const row = {
      BilledCost: '12.5',
      BillingCurrency: 'USD',
      ServiceProviderName: 'OpenAI',
      BillingAccountId: 'research',
      ChargePeriodStart: '2026-03-01T00:00:00Z',
      ChargePeriodEnd: '2026-03-02T00:00:00Z',
    };
    const key = tenants().acme.api_keys.admin;
    await call(instance.baseUrl, '/api/v1/reconciliation/bills', { key, body: { rows: [row] } });
    await open('/reconciliation');

    const bills = page.getByRole('region', { name: 'Imported bills, table' });
    const shown = await bills.getByRole('row', { name: /research/ }).innerText();
    expect(shown).toMatch(/OpenAI[\s\S]*1 Mar 2026[\s\S]*\$12\.50[\s\S]*an API key/);
  });

  it('creates a budget, and deletes it after a question', async () => {
    await open('/budgets');
    await button('Create a budget').click();
    await page.getByLabel('Name').fill('Ads');
    await page.getByLabel('Ceiling in USD').fill('250.00');
    await dialog().getByLabel('Owner').fill('ads');
    await button('Create').click();
    await page.getByText(/of \$250\.00/).waitFor();

    await button('Delete Ads').click();
    await button('Delete').click();
    await page.getByText('No budget yet').waitFor();
    await dialog().waitFor({ state: 'detached' });
  });

  it('shows a new key once, and never again', async () => {
    await open('/keys');
    await button('Create an API key').click();
    await page.getByLabel('Name').fill('nightly report');
    await page.getByLabel(/Read reports/).check();
    await button('Create the key').click();
    const secret = await dialog().locator('code').innerText();
    expect(secret).toMatch(/^ask_/);
    await button('Done').click();

    await page.getByRole('row', { name: /nightly report/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await page.getByRole('row', { name: /nightly report/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('adds a user, changes the role, and removes the user after a question', async () => {
    await open('/users');
    await button('Add a user').click();
    await page.getByLabel('E-mail address').fill('kim@example.org');
    await dialog().getByLabel('Role').selectOption('finops');
    await button('Add').click();
    const row = page.getByRole('row', { name: /kim@example\.org/ });
    await row.getByText('FinOps').waitFor();

    await button('Change role of kim@example.org').click();
    await dialog().getByLabel('Role').selectOption('viewer');
    await button('Change').click();
    await row.getByText('Viewer').waitFor();

    await button('Remove kim@example.org').click();
    await button('Remove').click();
    await row.getByText('removed').waitFor();
  });
});

describe('bill sources and contract prices in the console', () => {
  it('adds and resumes a bill source after a recent sign-in, and does not keep its key in the browser', async () => {
    page = await openConsole(instance, '/reconciliation');
    await signIn(page, tenants().acme);
    let sent = 0;
    await page.route('**/api/v1/bill-sources', async (route) => {
      if (route.request().method() !== 'POST' || sent > 0) return route.fallback();
      sent += 1;
      const problem = { error_code: 'STEP_UP_REQUIRED', status: 401, title: '', detail: '', trace_id: '' };
      return route.fulfill({ status: 401, json: problem });
    });
    await button('Add a source').click();
    await page.getByLabel('Name').fill('OpenAI, research');
    await page.getByLabel('Admin key').fill('a-key-of-the-provider');
    await button('Add').click();
    await page.getByText('it was not kept', { exact: false }).waitFor();

    expect(await page.evaluate('JSON.stringify([sessionStorage, localStorage])')).not.toContain('a-key-of');
    expect(await page.getByLabel('Name').inputValue()).toBe('OpenAI, research');
    expect(await page.getByLabel('Admin key').inputValue()).toBe('');
    await page.getByLabel('Admin key').fill('a-key-of-the-provider');
    await button('Add').click();
    await page.getByRole('row', { name: /OpenAI, research.*pending/ }).waitFor();

    await button('Pause OpenAI, research').click();
    await dialog().getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('row', { name: /OpenAI, research.*paused/ }).waitFor();
    await page.route('**/api/v1/bill-sources/*', async (route) => {
      if (route.request().method() !== 'PATCH' || sent > 1) return route.fallback();
      sent += 1;
      const problem = { error_code: 'STEP_UP_REQUIRED', status: 401, title: '', detail: '', trace_id: '' };
      return route.fulfill({ status: 401, json: problem });
    });
    await button('Resume OpenAI, research').click();
    await dialog().getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('row', { name: /OpenAI, research.*pending/ }).waitFor();
    expect(sent).toBe(2);

    await button('Delete OpenAI, research').click();
    await button('Delete').click();
    await page.getByText('No source yet').waitFor();
  });

  it('adds an export of AWS, and shows the trust policy for its role', async () => {
    await open('/reconciliation');
    await button('Add Amazon Bedrock').click();
    await page.getByLabel('Name').fill('AWS');
    await page.getByLabel('Location of the export').fill('s3://example-bills/attribution/bedrock');
    await page.getByLabel('Region of the bucket').fill('us-east-1');
    await page.getByLabel('ARN of the role').fill('arn:aws:iam::111122223333:role/attribution-bills-reader');
    await button('Add').click();
    const policy = await dialog().locator('code').innerText();
    await button('Done').click();

    const id = String(JSON.parse(policy).Statement[0].Condition.StringEquals['sts:ExternalId']);
    expect(id).toMatch(/^bls_/);
    await button('Export of AWS').click();
    expect(await dialog().locator('code').innerText()).toContain(id);
    await button('Cancel').click();
    await button('Delete AWS').click();
    await button('Delete').click();
    await page.getByText('No source yet').waitFor();
  });

  it('adds, changes and removes a contract price', async () => {
    await open('/prices');
    await button('Add a price').click();
    await page.getByLabel('Provider').fill('openai');
    await page.getByLabel('Model').fill('gpt-flow*');
    await page.getByLabel('Input', { exact: true }).fill('2.5');
    await button('Add').click();
    await page.getByText('Input 2.5').waitFor();

    await button('Change gpt-flow*').click();
    await page.getByLabel('Output', { exact: true }).fill('10');
    await button('Save').click();
    await page.getByText('Input 2.5 · Output 10').waitFor();

    await button('Remove gpt-flow*').click();
    await button('Remove').click();
    await page.getByText('List prices only').waitFor();
  });

  it('adds the contract price that a bill implies', async () => {
    const key = tenants().acme.api_keys.admin;
    const nobody = { attributed_identity: undefined, requested_model: 'flow-billed-model' };
    await call(instance.baseUrl, '/api/v1/invocations', { key, body: someEvent(nobody) });
    await instance.runtime.idle({ delayed: true });
    const day = new Date().toISOString().slice(0, 10);
    const bill = (SkuMeter: string, ConsumedQuantity: string, BilledCost: string) => ({
      BilledCost,
      BillingCurrency: 'USD',
      ServiceProviderName: 'OpenAI',
      ChargePeriodStart: `${day}T00:00:00Z`,
      ChargePeriodEnd: `${day}T23:00:00Z`,
      x_Model: 'flow-billed-model',
      SkuMeter,
      ConsumedUnit: 'Tokens',
      ConsumedQuantity,
    });
    const rows = [bill('Input Tokens', '1000', '0.0021250'), bill('Output Tokens', '200', '0.0017')];
    await call(instance.baseUrl, '/api/v1/reconciliation/bills', { method: 'POST', key, body: { rows } });
    await open('/reconciliation');
    const models = page.getByRole('region', { name: 'Models, table' });
    const row = await models.getByRole('row', { name: /flow-billed-model/ }).innerText();
    expect(row).toMatch(/unknown[\s\S]*unknown[\s\S]*not comparable[\s\S]*1 of unknown price/);
    await page.getByRole('img', { name: /^Price: \$0\.00\d/ }).waitFor();

    await button('Add the price of flow-billed-model').click();
    expect(await page.getByLabel('Input', { exact: true }).inputValue()).toBe('2.125');
    expect(await page.getByLabel('Output', { exact: true }).inputValue()).toBe('8.5');
    expect(await page.getByLabel('From the start of').inputValue()).toBe(day);
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });

    const { body } = await call(instance.baseUrl, '/api/v1/contract-prices', { key });
    expect(body['prices']).toMatchObject([
      {
        provider: 'openai',
        model: 'flow-billed-model',
        from: `${day}T00:00:00Z`,
        input: '2.125',
        output: '8.5',
      },
    ]);
    await open('/prices');
    await button('Remove flow-billed-model').click();
    await button('Remove').click();
    await page.getByText('List prices only').waitFor();
  });
});

describe('exports and months in the console', () => {
  it('creates an export and offers its files', async () => {
    await open('/exports');
    await button('Create an export').click();
    await button('Create').click();
    await button(/^Download/).click();

    const file = dialog().getByRole('link', { name: /File 1/ });
    await file.waitFor();
    expect((await fetch(String(await file.getAttribute('href')))).status).toBe(200);
  });

  it('adds a destination, shows the trust policy for its role, checks it, and delivers an export to it again', async () => {
    const key = tenants().acme.api_keys.admin;
    const now = new Date();
    const startOfMonth = (month: number) => new Date(Date.UTC(now.getUTCFullYear(), month)).toISOString();
    const period = { from: startOfMonth(now.getUTCMonth() - 1), to: startOfMonth(now.getUTCMonth()) };
    const body = { period, granularity: 'day' };
    await call(instance.baseUrl, '/v1/exports/focus', { key, body });
    await open('/exports');
    await button('Add a destination').click();
    await page.getByLabel('Name').fill('Finance lake');
    await page.getByLabel('Location').fill('s3://example-finance/ai');
    await page.getByLabel('Region of the bucket').fill('us-east-1');
    await page.getByLabel('ARN of the role').fill('arn:aws:iam::111122223333:role/attribution-exports-flow');
    await button('Add').click();
    await dialog().getByText('sts:ExternalId').waitFor();
    await button('Done').click();

    await button('Check Finance lake').click();
    await button('Check').click();
    const destinations = page.getByRole('region', { name: 'Destinations, table' });
    await destinations.getByText(/^(?:checking|working|failing)$/).waitFor();

    await button(/^Deliver of/).click();
    await page.getByLabel('as the report').fill('chargeback');
    await button('Deliver').click();
    await page.getByText(/^(?:delivery (?:pending|failed)|delivered, version)/).waitFor();

    await button('Delete Finance lake').click();
    await button('Delete').click();
    await page.getByText(/^No destination/).waitFor();
  });

  it('closes a month, says why it cannot be closed, and reopens it with a reason', async () => {
    const { user, api_keys: keys } = tenants().acme;
    await open('/exports');
    const months = page.getByRole('region', { name: 'Billing periods, table' });
    const closed = months.getByRole('row', { name: /closed/ });
    const others = page.getByRole('region', { name: 'Other billing periods, table' });
    const unfold = () => page.getByText(/^\d+ more months, open$/).click();
    const oldest = others.getByRole('row').last();
    await unfold();
    await oldest.getByRole('button', { name: /^Close/ }).click();
    const { body: periods } = await call(instance.baseUrl, '/api/v1/periods', { key: keys.admin });
    const later = `/api/v1/periods/${Periods.parse(periods).data.at(-2)?.period}`;
    await call(instance.baseUrl, `${later}/close`, { method: 'POST', key: keys.admin });
    await button('Close the month').click();
    await dialog()
      .getByText(/closed in their order/)
      .waitFor();
    await button('Cancel').click();
    await call(instance.baseUrl, `${later}/reopen`, {
      key: keys.admin,
      body: { reason: 'Closed too early' },
    });

    await page.reload();
    await unfold();
    await oldest.getByRole('button', { name: /^Close/ }).click();
    await button('Close the month').click();
    await closed.waitFor();
    expect(await closed.innerText()).toMatch(new RegExp(`by ${user.email}[\\s\\S]*\\$0\\.00[\\s\\S]*none`));
    expect(await months.getByRole('button', { name: /^Close/ }).count()).toBe(1);

    await closed.getByRole('button', { name: /^Reopen/ }).click();
    await page.getByLabel('Reason').fill('A bill came late');
    await button('Reopen the month').click();
    await closed.waitFor({ state: 'detached' });
  });
});

describe('the way to an owner in the console', () => {
  it('shows what a mapping would change before it is saved', async () => {
    await open('/identity');
    await button('Create a mapping').click();
    await page.getByLabel('Name').fill('Ads to marketing');
    await page.getByLabel('Value').first().fill('ads-1');
    await page.getByLabel('Then the owner is').fill('marketing');
    await page.getByLabel('Position').fill('1');
    await button('Try it on the last 7 days').click();

    await page
      .getByText(/3 calls/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Dry run' }).getByText('marketing').first().waitFor();
  });

  it('leads from a service without an owner to its mapping, and to calls with an owner', async () => {
    const key = tenants().acme.api_keys.admin;
    const unowned = () => someEvent({ attributed_identity: undefined, attributed_service: 'ads-crawler' });
    await call(instance.baseUrl, '/api/v1/invocations/batch', {
      key,
      body: { events: [unowned(), unowned()] },
    });
    await instance.runtime.idle({ delayed: true });
    await open('');
    await page.getByRole('link', { name: 'Name owners' }).click();

    const row = page.getByRole('row', { name: /ads-crawler/ });
    expect(await row.innerText()).toMatch(/2 calls[\s\S]*ads[\s\S]*Its name is in service ads-crawler/);
    await row.getByRole('button', { name: /^Map/ }).click();
    expect(await page.getByLabel('Then the owner is').inputValue()).toBe('ads');
    await button('Try it on the last 7 days').click();
    await dialog()
      .getByText(/2 calls of/)
      .waitFor();
    await button('Create').click();
    await dialog().waitFor({ state: 'detached' });
    await instance.runtime.idle({ delayed: true });

    await page.reload();
    await page.getByRole('heading', { name: 'Owners' }).first().waitFor();
    await row.waitFor({ state: 'detached' });
    const { body } = await call(instance.baseUrl, '/v1/attribution?service=ads-crawler', { key });
    expect(body).toMatchObject({ data: [{ owner: 'ads' }, { owner: 'ads' }] });
  });

  it('turns the first steps into the dashboard when the first event arrives', async () => {
    const { globex } = tenants();
    page = await openConsole(instance, '');
    await signIn(page, globex);
    await page.getByText('Waiting for the first event').waitFor();
    await page.getByText('/api/v1/invocations', { exact: false }).waitFor();
    await button('Create an API key').click();
    await page.getByLabel('Name').fill('first key');
    await button('Create the key').click();
    // What is shown runs as it is.
    const command = await dialog().locator('code').nth(1).innerText();
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(stdout).toContain('invocation_id');
    await button('Done').click();
    await instance.runtime.idle({ delayed: true });

    await page.getByRole('heading', { level: 2, name: 'Owners' }).waitFor();
  });

  it('maps the calls of a row whose service is hidden, and says what they cost as a range', async () => {
    const { globex } = tenants();
    const key = globex.api_keys.admin;
    const pilot = (end_user: string, attributed_service: string) =>
      someEvent({ attributed_identity: undefined, attributed_service, end_user });
    const events = ['ann', 'bo'].flatMap((person) => [
      pilot(person, 'pilot-bot'),
      pilot(person, 'pilot-chat'),
    ]);
    await call(instance.baseUrl, '/api/v1/invocations/batch', { key, body: { events } });
    await instance.runtime.idle({ delayed: true });
    page = await openConsole(instance, '/owners');
    await signIn(page, globex);

    const row = page.getByRole('row', { name: /Hidden: fewer than 5 people/ });
    expect(await row.innerText()).toMatch(/\$\d[\s\S]* – \$\d[\s\S]*With service pilot-bot/);
    await row.getByRole('button', { name: 'Map calls with service pilot-bot' }).click();
    expect(await page.getByLabel('Value').first().inputValue()).toBe('pilot-bot');
    await page.getByLabel('Then the owner is').fill('team-pilot');
    await button('Create').click();
    await dialog().waitFor({ state: 'detached' });
    await instance.runtime.idle({ delayed: true });

    await page.reload();
    await row.getByText('With service pilot-chat', { exact: true }).waitFor();
    expect(await row.innerText()).not.toContain('pilot-bot');
    const { body } = await call(instance.baseUrl, '/v1/attribution?service=pilot-bot', { key });
    expect(body).toMatchObject({ data: [{ owner: 'team-pilot' }, { owner: 'team-pilot' }] });
  });
});
