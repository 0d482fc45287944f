import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { call, someEvent } from '../../support/client.ts';
import {
  faultsOf,
  openConsole,
  sendCalls,
  signedInState,
  signIn,
  signInAsDemoUser,
} from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { administrationOf, demoTenants, deploymentOf } from '../../support/localService.ts';
import { seedModels } from '../../support/models.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

let instance: Instance;
let state: Awaited<ReturnType<typeof signedInState>>;
let page: Page;

const tenants = () => demoTenants(instance.credentials);

beforeAll(async () => {
  instance = await sharedInstance();
  await sendCalls(instance, tenants().acme);
  const tenant = await (await administrationOf(instance)).show(tenants().acme.tenant_id);
  if (tenant !== null) await seedModels(await deploymentOf(instance), tenant, 1);
  state = await signedInState(instance, tenants().acme);
});
afterAll(() => instance?.stop());

const open = async (path: string): Promise<Page> => {
  page = await openConsole(instance, path, state);
  return page;
};
beforeEach(() => () => page?.context().close());

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');

describe('the console', () => {
  it('returns to the page that was asked for after the sign-in, and shows the role', async () => {
    page = await openConsole(instance, '/budgets');
    await signIn(page, tenants().acme);

    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/budgets');
    await page.getByText('Administrator', { exact: true }).waitFor();
  });

  it('keeps no token in the URL or in the storage of the browser', async () => {
    await open('');
    await page.getByRole('heading', { level: 2, name: 'Owners' }).waitFor();

    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, location.href, document.cookie])',
    );
    expect(kept).not.toMatch(/eyJ|session/);
  });

  it('shows the overview after at most six calls of the API', async () => {
    const calls: string[] = [];
    page = await openConsole(instance, '/settings', state);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:api\/)?v1\//.test(pathname)) calls.push(pathname);
    });
    await page.goto(`${instance.baseUrl}/console`);
    await page.getByRole('heading', { level: 2, name: 'Owners' }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });

    expect(calls).toContain('/v1/reports/usage');
    expect(calls.length, calls.join()).toBeLessThanOrEqual(6);
  });

  it('gives an owner the same colour on each page and after a reload, and stores no name', async () => {
    await open('');
    const colourIn = async (area: string): Promise<string | null> => {
      const row = page.locator(area).filter({ hasText: /^ads/ }).first();
      return row.locator('.swatch > rect').getAttribute('fill');
    };
    await page.getByRole('heading', { level: 2, name: 'Owners' }).waitFor();
    const first = await colourIn('.owner');
    await page.getByRole('link', { name: 'Explore', exact: true }).first().click();
    await page.locator('.keys').waitFor();
    const explored = await colourIn('.keys li');
    await page.goto(`${instance.baseUrl}/console/explore?days=30&measure=energy&owner=ads`);
    await page.locator('.keys').waitFor();

    expect(first).toMatch(/--c[1-6]|url/);
    expect([explored, await colourIn('.keys li')]).toEqual([first, first]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/ads|acme/);
  });

  it('leads from a group to its calls, and to the evidence of one call', async () => {
    await open('/explore');
    await page.getByRole('row', { name: /^ads/ }).getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    expect(page.url()).toContain('owner=ads');
    await page.getByRole('region', { name: 'Calls, table' }).getByRole('link').first().click();

    await page.getByRole('heading', { level: 2, name: 'Rules that were tried' }).waitFor();
    await page.getByText('decided').first().waitFor();
  });

  it('lists the calls of a group in the days of the report, and undoes a filter with Back', async () => {
    await open('/explore?days=14');
    await page
      .getByRole('row', { name: /^search/ })
      .getByRole('link', { name: 'Calls' })
      .click();
    await page.getByRole('region', { name: 'Calls, table' }).waitFor();
    const search = new URL(page.url()).searchParams;
    expect(search.get('to')).toBe(new Date().toISOString().slice(0, 10));
    expect(await page.getByLabel('From (UTC)').inputValue()).toBe(search.get('from'));

    await page.getByLabel('Price').selectOption('known');
    await page.waitForURL(/price=known/);
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('price'));
    expect(await page.getByLabel('Price').inputValue()).toBe('any');
    await page.getByLabel('Service', { exact: true }).fill('search-service');
    await page.keyboard.press('Enter');
    await page.waitForURL(/service=search-service/);
    expect(await page.evaluate('document.activeElement.name')).toBe('service');
  });

  it('tells a viewer who may open a page, and requests nothing that is refused', async () => {
    page = await openConsole(instance, '/keys');
    await signInAsDemoUser(page, /^Viewer of/);

    await page.getByText(/^Administrators can open it/).waitFor();
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await page.getByText('An administrator can create and change budgets.').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Exports' }).count()).toBe(0);
    expect(faultsOf(page)).toEqual([]);
  });

  it('overrides an attribution and shows it in the history', async () => {
    await open('/records?owner=search');
    await page.getByRole('region', { name: 'Calls, table' }).getByRole('link').first().click();
    await button('Override').click();
    await page.getByLabel('New owner').fill('search-platform');
    await page.getByLabel('Reason').fill('The team was renamed');
    await dialog().getByRole('button', { name: 'Override' }).click();

    await page.getByText(/The team was renamed/).waitFor();
    await page.getByRole('link', { name: 'search-platform' }).waitFor();
  });

  it('opens a dispute and says so on the record', async () => {
    await open('/records?owner=support');
    await page.getByRole('region', { name: 'Calls, table' }).getByRole('link').first().click();
    await button('Dispute').click();
    await page.getByLabel('Reason').fill('This is not our call');
    await button('Open the dispute').click();

    await page.getByText('Disputed.').waitFor();
    await page.getByRole('link', { name: 'Attribution quality' }).click();
    const disputes = page.getByRole('region', { name: 'Disputes, table' });
    await disputes
      .getByRole('row', { name: /This is not our call/ })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { level: 2, name: 'Evidence' }).waitFor();
  });

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

  it('keeps the navigation when a page cannot be loaded, and loads it on a retry', async () => {
    await open('/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.route('**/console/assets/Budgets-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await page.getByRole('alert').getByText('The service did not answer').waitFor();
    await page.unrouteAll({ behavior: 'wait' });

    await page.getByRole('link', { name: 'Anomalies', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Anomalies' }).waitFor();
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await button('Try again').click();
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
  });

  it('shows one message and a retry on the overview while reports cannot be read', async () => {
    await open('/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const problem = { error_code: 'SERVICE_UNAVAILABLE', status: 503, title: '', detail: '', trace_id: '' };
    await page.route('**/v1/reports/usage?**', (route) => route.fulfill({ status: 503, json: problem }));
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The service has a problem at the moment').waitFor();
    expect(await alert.count()).toBe(1);
    await page.unrouteAll({ behavior: 'wait' });

    await button('Try again').click();
    await page.getByRole('heading', { level: 2, name: 'Owners' }).waitFor();
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

  it('marks the notifications as read', async () => {
    const key = tenants().acme.api_keys.admin;
    const body = { name: 'Tiny', ceiling_usd: '0.000001', period: 'month', scope: {} };
    await call(instance.baseUrl, '/api/v1/budgets', { key, body });
    await call(instance.baseUrl, '/api/v1/invocations', { key, body: someEvent() });
    await instance.runtime.idle({ delayed: true });
    await open('/notifications');
    await page.getByText('Unread:').first().waitFor();
    const entry = page.getByRole('navigation').getByRole('link', { name: /Notifications/ });
    expect(await entry.innerText()).toMatch(/\d\s+unread/);
    // The read mark is a time, so it would also mark what the filter hides.
    await button('Critical').click();
    await page.getByText('Unread:').first().waitFor();
    expect(await button('Mark all as read').count()).toBe(0);
    await button('All').click();

    await button('Mark all as read').click();

    await page.getByText('All read').waitFor();
    // The count beside the entry is read again after the list.
    await page.getByRole('navigation').getByRole('link', { name: 'Notifications', exact: true }).waitFor();
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

  it('mutes the series of an anomaly', async () => {
    const tenant = await (await administrationOf(instance)).show(tenants().acme.tenant_id);
    if (tenant === null) throw new Error('the demo tenant exists');
    const anomaly = anAnomaly(tenant.tag, Date.now() - 86_400_000, { value: 'muted-service' });
    await seedAnomalies(await deploymentOf(instance), tenant, [anomaly]);
    await open('/anomalies');
    await button('Mute muted-service').click();

    await dialog().getByRole('button', { name: 'Mute' }).click();

    await page.getByText(/Muted until/).waitFor();
    await button('Unmute muted-service').waitFor();
  });

  it('shows what a budget spent in its last periods', async () => {
    const body = { name: 'Last periods', ceiling_usd: '500', period: 'month', scope: {} };
    await call(instance.baseUrl, '/api/v1/budgets', { key: tenants().acme.api_keys.admin, body });
    await open('/budgets');
    await button('Periods of Last periods').click();

    const periods = dialog().getByRole('table').getByRole('row');
    await periods.nth(12).waitFor();
    expect(await periods.nth(1).textContent()).toMatch(/so far\$0\.\d+/);
    await button('Close').click();
  });

  it('shows how to enable an integration that was never used, with the address of the service', async () => {
    await open('/coverage');
    await button('Set up OpenTelemetry').click();

    await dialog().getByText(`OTEL_EXPORTER_OTLP_ENDPOINT=${instance.baseUrl}/api/v1/otlp`).waitFor();
    await button('Close').click();
    await dialog().waitFor({ state: 'detached' });
    // The keyboard goes on where it was.
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Set up OpenTelemetry');
  });

  it('counts only the calls that match a filter, in every view', async () => {
    await open('/explore?group=service&served_model=no-such-model');

    await page.getByText('no calls').first().waitFor();
    await button(/Remove the filter/).click();
    await page.getByRole('region', { name: 'Groups, table' }).waitFor();
    expect(new URL(page.url()).search).not.toContain('served_model');
  });

  it('shows how often the predictions of the serving model are right', async () => {
    await open('/quality');

    await page.getByRole('heading', { level: 2, name: 'Confidence and reality' }).waitFor();
    await page.getByRole('region', { name: 'Reliability, table' }).getByText('98').first().waitFor();
  });

  it('creates an export and offers its files', async () => {
    await open('/exports');
    await button('Create an export').click();
    await button('Create').click();
    await button(/^Download/).click();

    const file = dialog().getByRole('link', { name: /File 1/ });
    await file.waitFor();
    expect((await fetch(String(await file.getAttribute('href')))).status).toBe(200);
  });

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
});
