import { afterAll, expect, it } from 'vitest';
import { call } from '../../support/client.ts';
import { openConsole, requireRecentSignIn, signIn } from '../../support/consoleBrowser.ts';
import { administrationOf, demoTenants, deploymentOf } from '../../support/localService.ts';
import { IDLE, sandboxesOf } from '../../support/sandboxes.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

const instance = await sharedInstance();
afterAll(() => instance.stop());

it('marks a sandbox, switches its live traffic after a recent sign-in and resets it, and shows no such card to other tenants', async () => {
  const { acme } = demoTenants(instance.credentials);
  const administration = await administrationOf(instance);
  const terms = { tenantId: 'console-sandbox', name: 'Playground', plan: 'free', residency: [] } as const;
  const sandbox = await administration.open({ ...terms, sandbox: true });
  await sandboxesOf(await deploymentOf(instance)).replace(sandbox.tenant_id, IDLE);
  const key = await administration.issueKey(sandbox, 'admin');
  const user = { email: acme.user.email, role: 'admin' };
  expect((await call(instance.baseUrl, '/api/v1/users', { key, body: user })).status).toBe(201);
  const page = await openConsole(instance, '/settings');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const brand = page.getByRole('navigation', { name: 'Console' }).getByText('Sandbox', { exact: true });
  const card = page.getByRole('region', { name: 'Sandbox' });
  await signIn(page, acme, 'Playground');

  await brand.waitFor();
  const sent = await requireRecentSignIn(page, 'PATCH', '/api/v1/sandbox');
  await button('Start live traffic').click();
  await button('Start').click();
  await button('Stop live traffic').waitFor();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  await button('Reset').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
  await card.getByText(/queued|running/).waitFor();

  await page.getByRole('combobox', { name: 'Tenant' }).selectOption({ label: acme.name });
  await card.waitFor({ state: 'detached' });
  expect(await brand.count()).toBe(0);
});
