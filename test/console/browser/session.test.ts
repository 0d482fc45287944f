import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../schemas/identity/roles.ts';
import { call } from '../../support/client.ts';
import { faultsOf, openConsole, settle, signIn, visit } from '../../support/consoleBrowser.ts';
import { demoTenants } from '../../support/localService.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';
import type { Person } from '../../support/signIn.ts';
import { usersOf } from '../../support/users.ts';

let page: Page;

const tenants = () => demoTenants(instance.credentials);

const instance = await sharedInstance();
const users = await usersOf(instance);
afterAll(() => instance.stop());

/** The pages that show single calls, or that serve to change something. */
const NOT_FOR_VIEWERS: readonly string[] = [
  'Records',
  'Coverage',
  'Identity mappings',
  'Exports',
  'Webhooks',
  'Keys and clients',
  'Users and roles',
  'Contract prices',
  'Audit log',
];
/** The begin of the name of a button that changes something. */
const CHANGE = /^(Add|Confirm|Create|Delete|Edit|Import|Mute|Recall|Reset|Set|Train|Unmute|Use)\b/;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const tenantOf = (shown: Page): Promise<string> => shown.getByLabel('Tenant').inputValue();

/** Opens a page as a person who is a user of these tenants. */
const openAs = async (tenantIds: readonly string[], path: string, role: Role = 'admin'): Promise<Person> => {
  const person = await users.stranger();
  for (const tenantId of tenantIds) await users.employ(person, role, tenantId);
  const { acme } = tenants();
  page = await openConsole(instance, path);
  await signIn(page, { ...acme, user: person }, tenantIds.length > 1 ? acme.name : undefined);
  return person;
};

/** Opens another page of the console, which then reads from the service. */
const follow = (shown: Page, name: string): Promise<void> =>
  shown.getByRole('link', { name, exact: true }).click();

/** Another tab of the same browser. */
const openTab = async (path: string): Promise<Page> => {
  const tab = await page.context().newPage();
  await visit(tab, instance, path);
  return tab;
};

/** Signs out, and confirms it at the provider. */
const signOut = async (): Promise<void> => {
  await button('Sign out').click();
  await page.getByRole('button', { name: 'Stay signed in' }).waitFor();
  await button('Sign out').click();
  await page.getByText('You are signed out.').waitFor();
};

/** Ends the session on the server, as another tab does. The provider still knows the person. */
const endSession = (): Promise<unknown> =>
  page
    .context()
    .request.delete(`${instance.baseUrl}/console/session`, { headers: { 'sec-fetch-site': 'same-origin' } });

it('offers the sign-in without an error in the log of the browser', async () => {
  page = await openConsole(instance, '');
  await button('Continue to sign-in').waitFor();

  expect(faultsOf(page)).toEqual([]);
});

describe('a page of the console', () => {
  it('signs out at the provider, and shows nothing until a new sign-in', async () => {
    await openAs([tenants().acme.tenant_id], '/budgets');
    await signOut();
    expect(new URL(page.url()).pathname).toBe('/console/signed-out');

    await visit(page, instance, '/budgets');
    expect(await page.getByRole('navigation').count()).toBe(0);
    await button('Continue to sign-in').click();
    await page.getByLabel('E-mail').waitFor();
  });

  it('is read again when the browser shows a kept page after its session has ended', async () => {
    await openAs([tenants().acme.tenant_id], '/budgets');
    await endSession();
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');

    await button('Continue to sign-in').waitFor();
  });

  it('changes with the tenant that was chosen in another tab, before it shows data of it', async () => {
    const { acme, globex } = tenants();
    await openAs([acme.tenant_id, globex.tenant_id], '/budgets');
    const tab = await openTab('/budgets');
    await tab.getByLabel('Tenant').selectOption(globex.tenant_id);
    await expect.poll(() => tenantOf(tab)).toBe(globex.tenant_id);
    expect(await tenantOf(page)).toBe(acme.tenant_id);

    await follow(page, 'Anomalies');

    await expect.poll(() => tenantOf(page)).toBe(globex.tenant_id);
    await page.getByRole('heading', { level: 1, name: 'Anomalies' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('goes on after a new sign-in in another tab', async () => {
    await openAs([tenants().acme.tenant_id], '/budgets');
    const tab = await openTab('/budgets');
    await tab.evaluate('location.assign("/console/session/sign-in?max_age=900&return_to=/console/audit")');
    await tab.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();

    await follow(page, 'Users and roles');

    await page
      .getByRole('row', { name: /@example/ })
      .first()
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows no more data to a person whom an administrator removed', async () => {
    const person = await openAs([tenants().acme.tenant_id], '/budgets');
    await users.remove(person);
    await follow(page, 'Anomalies');

    await page.getByRole('heading', { level: 1, name: 'No tenant' }).waitFor();
    await page.getByText(`${person.email} is not a user of any tenant`, { exact: false }).waitFor();
    await signOut();
  });

  it('offers a viewer no page and no action that the role does not include', async () => {
    const { acme } = tenants();
    const budget = { name: 'Everything', ceiling_usd: '500', period: 'month', scope: {} };
    await call(instance.baseUrl, '/api/v1/budgets', { key: acme.api_keys.admin, body: budget });
    await openAs([acme.tenant_id], '/users', 'viewer');
    await page.getByText('Administrators can open it.', { exact: false }).waitFor();
    const entries = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(entries.filter((name) => NOT_FOR_VIEWERS.includes(name))).toEqual([]);

    for (const name of ['Anomalies', 'Attribution quality', 'Reconciliation', 'Settings', 'Budgets']) {
      await follow(page, name);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await settle(page);
      expect(await page.getByRole('alert').allInnerTexts(), name).toEqual([]);
      expect(await page.locator('main').getByRole('button', { name: CHANGE }).allInnerTexts(), name).toEqual(
        [],
      );
    }
    await button('Periods of Everything').waitFor();
  });

  it('keeps a form that is sent after the session has ended, and sends it after the sign-in', async () => {
    await openAs([tenants().acme.tenant_id], '/budgets');
    await button('Create a budget').click();
    await page.getByLabel('Name').fill('After the end');
    await page.getByLabel('Ceiling in USD').fill('250.00');
    await endSession();
    // A read in the background finds the end first.
    await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
    await button('Create').click();

    await button('Delete After the end').waitFor();
  });
});
