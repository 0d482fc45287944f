import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { call, someEvent } from '../../support/client.ts';
import {
  faultsOf,
  openConsole,
  sendCalls,
  sendLongCalls,
  settle,
  signedInCookies,
  signIn,
  signInAsDemoUser,
  visit,
} from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { administrationOf, demoTenants, deploymentOf } from '../../support/localService.ts';
import { seedModels } from '../../support/models.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

let instance: Instance;
let cookies: Awaited<ReturnType<typeof signedInCookies>>;
let page: Page;

const tenants = () => demoTenants(instance.credentials);

beforeAll(async () => {
  instance = await sharedInstance();
  await sendCalls(instance, tenants().acme);
  const tenant = await (await administrationOf(instance)).show(tenants().acme.tenant_id);
  if (tenant !== null) await seedModels(await deploymentOf(instance), tenant, 1);
  cookies = await signedInCookies(instance, tenants().acme);
});
afterAll(() => instance?.stop());

const open = async (path: string): Promise<Page> => {
  page = await openConsole(instance, path, cookies);
  return page;
};

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');

describe('the session of a reader of the console', () => {
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
});

describe('reports in the console', () => {
  it('shows the overview after at most six calls of the API', async () => {
    const calls: string[] = [];
    page = await openConsole(instance, '/settings', cookies);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:api\/)?v1\//.test(pathname)) calls.push(pathname);
    });
    await visit(page, instance, '');
    await page.getByRole('heading', { level: 2, name: 'Owners' }).waitFor();
    await settle(page);

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
    await visit(page, instance, '/explore?days=30&measure=energy&owner=ads');
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

  it('prints a report by owner on one page without navigation, and saves its rows as CSV', async () => {
    await open('/explore');
    const table = page.getByRole('region', { name: 'Groups, table' });
    await table.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button('CSV of groups').click()]);
    expect(download.suggestedFilename()).toBe('groups.csv');
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^kind,owner,.*\r\n(?:.*\r\n)*group,ads,/);

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  });

  it('orders the groups by a column, and tells a screen reader so', async () => {
    await open('/explore');
    const table = page.getByRole('region', { name: 'Groups, table' });
    const rows = async () => (await table.locator('tbody tr th').allInnerTexts()).toSorted();
    const callsOf = async () =>
      (await table.locator('td[data-title="Calls"]').allInnerTexts()).map((text) =>
        Number(text.replace(/\D/g, '')),
      );
    await table.waitFor();
    const before = await rows();

    const header = table.getByRole('columnheader', { name: 'Calls' });
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect(await callsOf()).toEqual((await callsOf()).toSorted((one, other) => other - one));
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    expect(await callsOf()).toEqual((await callsOf()).toSorted((one, other) => one - other));
    expect(await rows()).toEqual(before);

    // The order is in the link of the page.
    await page.reload();
    await table.waitFor();
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
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

    const field = page.getByRole('combobox', { name: 'Add a filter' });
    await field.fill('price: known');
    await page.getByRole('option', { name: /Known/ }).first().click();
    await page.waitForURL(/price=known/);
    await button('Remove the filter Price Known').waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('price'));
    expect(await button('Remove the filter Price Known').count()).toBe(0);
  });

  it('shows on a phone the chart of Explore below the period and one fold, which says how many filters there are', async () => {
    await open('/explore?owner=ads');
    const wide = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    try {
      await page.getByText('Filters and view: 1 filter').waitFor();
      const chart = page.getByRole('group', { name: /^Spend over time/ });
      await chart.waitFor();
      const top = (await chart.boundingBox())?.y ?? 0;
      const controls = await page
        .getByRole('main')
        .locator('.segments, summary, select, input')
        .filter({ visible: true })
        .all();
      const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
      expect(boxes.filter((box) => box !== null && box.y < top)).toHaveLength(2);

      await page.getByText('Filters and view: 1 filter').click();
      await page.getByRole('button', { name: 'Energy', exact: true }).click();
      await page.getByRole('group', { name: /^Energy over time/ }).waitFor();
    } finally {
      await page.setViewportSize(wide);
    }
  });

  it('filters by keyboard, and removes the last filter with Backspace', async () => {
    await open('/records');
    const field = page.getByRole('combobox', { name: 'Add a filter' });
    const active = async (): Promise<string | null> => {
      const id = await field.getAttribute('aria-activedescendant');
      return id === null ? null : page.locator(`[id="${id}"]`).textContent();
    };
    await field.focus();
    await page.keyboard.type('search');
    await page.getByRole('option').nth(1).waitFor();
    const first = await active();
    await page.keyboard.press('ArrowDown');
    expect(await active()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe(first);
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');

    await field.fill('owner: search');
    await page.keyboard.press('Enter');
    await page.waitForURL(/owner=search/);
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox');
    await page.keyboard.press('Backspace');
    await page.waitForURL((url) => !url.search.includes('owner'));
  });

  it('adds up the rows that are selected', async () => {
    await open('/explore');
    const table = page.getByRole('region', { name: 'Groups, table' });
    await table.waitFor();
    const cost = (name: RegExp) =>
      table.getByRole('row', { name }).locator('td[data-title="Spend"]').innerText();
    await page.getByRole('checkbox', { name: 'ads' }).check();
    await page.getByText(`1 row selected: ${await cost(/^ads/)}`).waitFor();
    await page.getByRole('checkbox', { name: 'search' }).check();
    await page.getByText(/^2 rows selected: \$\d.* · 36 calls$/).waitFor();

    await button('Clear selected groups').click();
    await button('Select all groups').waitFor();
  });

  it('tells a viewer who may open a page, and requests nothing that is refused', async () => {
    page = await openConsole(instance, '/keys');
    await signInAsDemoUser(page, /^Viewer of/);

    await page.getByText(/^Administrators can open it/).waitFor();
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await page.getByText('Administrators and FinOps can create and change budgets.').waitFor();
    const navigation = page.getByRole('navigation');
    for (const hidden of ['Records', 'Exports', 'Audit log'])
      expect(await navigation.getByRole('link', { name: hidden, exact: true }).count()).toBe(0);
    for (const link of await navigation.getByRole('link').all()) {
      await link.click();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('alert').count(), page.url()).toBe(0);
    }
    expect(faultsOf(page)).toEqual([]);
  });
});

describe('a record in the console', () => {
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
});

describe('a part of the console that cannot be read', () => {
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
});

describe('the other pages of the console', () => {
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

  it('suggests a saving with its figures, filters by a name, dismisses and restores it, and leads to the calls', async () => {
    await sendLongCalls(instance, tenants().acme);
    await open('/savings?kind=prompt_caching');
    const row = page.getByRole('row', { name: /support-writer/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(
      /Cache what[\s\S]*support[\s\S]*\$0\.00 – \$\d[\s\S]*low[\s\S]*120 calls/,
    );
    const caches = page.getByRole('link', { name: 'caches saved' });
    expect(await caches.getAttribute('href')).toMatch(/explore\?.*view=unit.*units=cache/);
    await row.getByText('Figures and check').click();
    await row.getByText('A million cached tokens').waitFor();
    await row.getByText('Saved already: unknown').waitFor();

    await row.getByRole('button', { name: 'support-writer', exact: true }).click();
    await page.waitForURL(/kind=prompt_caching&service=support-writer/);
    await button('Remove the filter Service support-writer').waitFor();
    await row.getByRole('button', { name: /Dismiss/ }).click();
    await dialog().getByLabel('Reason').fill('Each prompt is another letter');
    await dialog().getByRole('button', { name: 'Dismiss' }).click();
    await row.waitFor({ state: 'detached' });
    await button('Show').click();
    await row.getByText(/Dismissed on .*: Each prompt is another letter/).waitFor();
    await row.getByRole('button', { name: /Restore/ }).click();
    await dialog().getByRole('button', { name: 'Restore' }).click();
    await row.getByText(/Dismissed on/).waitFor({ state: 'detached' });

    await row.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('region', { name: 'Calls, table' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('owner'), searchParams.get('service')]).toEqual(['support', 'support-writer']);
  });

  it('takes the numbers of a business metric, says what a unit costs, and deletes it', async () => {
    await open('/explore?view=unit&days=7');
    await button('Send numbers').click();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await dialog().getByLabel('Name').fill('tickets_solved');
    await dialog().getByLabel('Numbers, one day a line').fill(`${yesterday};twelve`);
    await dialog().getByRole('button', { name: 'Send' }).click();
    await dialog().getByText('line 1 is not DATE,NUMBER').waitFor();
    await dialog().getByLabel('Numbers, one day a line').fill(`date,value\n${yesterday},4`);
    await dialog().getByRole('button', { name: 'Send' }).click();

    const row = page
      .getByRole('region', { name: 'Business metrics, table' })
      .getByRole('row', { name: /tickets_solved/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(
      /all calls[\s\S]*4[\s\S]*of 1 day, \d+ without a number[\s\S]*\$\d/,
    );
    await row.getByRole('button', { name: /Delete/ }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('notes on a day what happened, marks it in the chart, and deletes it', async () => {
    await open('/explore?days=7');
    await button('Note what happened').click();
    await dialog().getByLabel('What happened').fill('Release 2.4');
    await dialog().getByRole('button', { name: 'Note', exact: true }).click();

    const note = page.getByRole('list', { name: 'Notes' }).getByText('Release 2.4');
    await note.first().waitFor();
    await page.getByRole('img', { name: /Release 2\.4/ }).waitFor();
    await page.getByRole('button', { name: 'Delete Release 2.4' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await note.first().waitFor({ state: 'detached' });
  });

  it('saves what Explore shows under a name, leads back to it, and deletes it', async () => {
    await open('/explore?days=14&group=service');
    await button('Save this view').click();
    await dialog().getByLabel('Name').fill('Services of two weeks');
    await dialog().getByRole('button', { name: 'Save' }).click();
    const view = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link');
    await view.waitFor();

    await button('Provider').click();
    await page.waitForURL(/group=provider/);
    await view.click();
    await page.waitForURL(/group=service/);
    expect(await view.getAttribute('aria-current')).toBe('page');
    await button('Delete this view').click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await view.waitFor({ state: 'detached' });
  });

  it('says how many calls match and what they cost, or why the sum is of the loaded ones', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    await open(`/records?from=${day(13)}&to=${day(0)}`);

    // More than the fifty that are loaded.
    await page.getByText(/^All that match: (?:5[1-9]|[6-9]\d|\d{3}) calls · \$/).waitFor();
    await visit(page, instance, '/records?outcome=ok');
    await page.getByText(/^Loaded so far: 50 calls · \$.*do not have all of these filters/).waitFor();
  });

  it('shows a set of unit costs at a time, which the address keeps, and all of them in the file', async () => {
    await open('/explore?view=unit');
    const table = page.getByRole('region', { name: 'Unit costs, table' });
    const titles = () => table.getByRole('columnheader').allInnerTexts();
    await table.waitFor();
    expect(await titles()).toEqual(['Owner', 'A call', 'A person', 'Failed calls', 'Incomplete calls']);

    await page.getByRole('group', { name: 'Unit costs of' }).getByText('Tokens').click();
    await page.waitForURL(/units=tokens/);
    await table.getByText('1M output tokens').waitFor();
    expect(await titles()).toEqual(['Owner', '1M input tokens', '1M from cache', '1M output tokens']);
  });
});
