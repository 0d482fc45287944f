import { afterAll, expect, it } from 'vitest';
import { call } from '../../support/client.ts';
import { openConsole, signIn } from '../../support/consoleBrowser.ts';
import { administrationOf, demoTenants } from '../../support/localService.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

const instance = await sharedInstance();
afterAll(() => instance.stop());

// About 3 s on a free machine: it signs in.
it('binds a new key to a data-residency lane of the tenant, and adds a lane', async () => {
  const { acme } = demoTenants(instance.credentials);
  const administration = await administrationOf(instance);
  const terms = {
    tenantId: 'console-lanes',
    name: 'Lanes',
    plan: 'free',
    residency: ['eu-central'],
  } as const;
  const admin = await administration.issueKey(await administration.open(terms), 'admin');
  const user = { email: acme.user.email, role: 'admin' };
  expect((await call(instance.baseUrl, '/api/v1/users', { key: admin, body: user })).status).toBe(201);
  const page = await openConsole(instance, '/keys');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  await signIn(page, acme, terms.name);

  await button('Create an API key').click();
  await dialog.getByLabel('Name').fill('EU gateway');
  await dialog.getByLabel(/Read reports/).check();
  await dialog.getByLabel('Data-residency lane').selectOption('eu-central');
  await button('Create the key').click();
  const key = await dialog.locator('code').innerText();
  await button('Done').click();
  await page.getByRole('row', { name: /EU gateway.*lane eu-central/ }).waitFor();
  const { body } = await call(instance.baseUrl, '/api/v1/me', { key });
  expect(body['residency']).toBe('eu-central');

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await button('Edit tenant settings').click();
  expect(await page.getByLabel('Data-residency lanes').inputValue()).toBe('eu-central');
  await page.getByLabel('Data-residency lanes').fill('eu-central\nus-east');
  await button('Save').click();
  await page.getByText('eu-central, us-east').waitFor();

  await page.getByRole('combobox', { name: 'Tenant' }).selectOption({ label: acme.name });
  await page.getByRole('link', { name: 'Keys and clients', exact: true }).click();
  await button('Create an API key').click();
  await dialog.getByLabel('Name').waitFor();
  expect(await dialog.getByLabel('Data-residency lane').count()).toBe(0);
});
