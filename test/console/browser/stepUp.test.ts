import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, someEvent } from '../../support/client.ts';
import { openConsole, requireRecentSignIn, signIn, visit } from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { demoTenants } from '../../support/localService.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

let instance: Instance;
/** One page for all forms, because each sign-in replaces the session. */
let page: Page;

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme } = demoTenants(instance.credentials);
  await call(instance.baseUrl, '/api/v1/invocations', { key: acme.api_keys.ingest, body: someEvent() });
  await instance.runtime.idle({ delayed: true });
  page = await openConsole(instance, '/keys');
  await signIn(page, acme);
});
afterAll(() => instance?.stop());

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');

interface Form {
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly route: string;
  readonly fill: () => Promise<void>;
  /** What the page shows once the form was accepted. */
  readonly accepted: () => Promise<void>;
}

const forms: readonly Form[] = [
  {
    name: 'a new API key',
    path: '/keys',
    method: 'POST',
    route: '/api/v1/api-keys',
    fill: async () => {
      await button('Create an API key').click();
      await page.getByLabel('Name').fill('after the step-up');
      await page.getByLabel(/Read reports/).check();
      await button('Create the key').click();
    },
    accepted: () => page.getByText('It is shown once', { exact: false }).waitFor(),
  },
  {
    name: 'a new export schedule',
    path: '/exports',
    method: 'POST',
    route: '/v1/exports/schedules',
    fill: async () => {
      await button('Schedule exports').click();
      await page.getByLabel('File').selectOption('csv');
      await button('Create the schedule').click();
    },
    accepted: () => page.getByRole('row', { name: /csv, FOCUS/ }).waitFor(),
  },
  {
    name: 'a changed export schedule',
    path: '/exports',
    method: 'PATCH',
    route: '/v1/exports/schedules/*',
    fill: async () => {
      await button(/^Edit the schedule/).click();
      await page.getByLabel('File').selectOption('parquet');
      await button('Save').click();
    },
    accepted: () => page.getByRole('row', { name: /parquet, FOCUS/ }).waitFor(),
  },
  {
    name: 'a contract price',
    path: '/prices',
    method: 'PUT',
    route: '/api/v1/contract-prices',
    fill: async () => {
      await button('Add a price').click();
      await page.getByLabel('Provider').fill('openai');
      await page.getByLabel('Model').fill('gpt-step-up*');
      await page.getByLabel('Input', { exact: true }).fill('2.5');
      await button('Add').click();
    },
    accepted: () => page.getByRole('row', { name: /gpt-step-up.*Input 2\.5/ }).waitFor(),
  },
  {
    name: 'the expected capture layers',
    path: '/coverage',
    method: 'PUT',
    route: '/api/v1/coverage/expectations',
    fill: async () => {
      await button('Set expectations').click();
      await page.getByLabel('Gateways').fill('gateway, application');
      await button('Save').click();
    },
    accepted: () => button('Set expectations').waitFor(),
  },
];

it.each(forms)(
  'keeps the form of $name during a sign-in, and sends the same request after it',
  async (form) => {
    const { path, method, route, fill, accepted } = form;
    await visit(page, instance, path);
    const sent = await requireRecentSignIn(page, method, route);
    const returned = page.waitForRequest(/console\/session\/sign-in/);

    await fill();
    await returned;
    await expect.poll(() => sent.length).toBe(2);
    if (path !== '/keys') await dialog().waitFor({ state: 'detached' });
    await accepted();

    expect(sent[0]?.key).toMatch(/^[\da-f-]{36}$/);
    expect(sent[1]).toEqual(sent[0]);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  },
);

it('signs in again on a further click when the first sign-in was not enough', async () => {
  await visit(page, instance, '/keys');
  const sent = await requireRecentSignIn(page, 'POST', '/api/v1/api-keys', 3);
  await forms[0]?.fill();
  await dialog().getByRole('alert').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('after the step-up');

  await button('Create the key').click();

  await forms[0]?.accepted();
  expect(sent).toHaveLength(4);
  expect(sent[3]).toEqual(sent[2]);
  await page.unrouteAll({ behavior: 'wait' });
});

it('opens the files of an export after a recent sign-in', async () => {
  const { acme } = demoTenants(instance.credentials);
  await call(instance.baseUrl, '/v1/exports/focus', {
    key: acme.api_keys.admin,
    body: { period: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' } },
  });
  await instance.runtime.idle({ delayed: true });
  await visit(page, instance, '/exports');
  const sent = await requireRecentSignIn(page, 'GET', '/api/v1/jobs/*');

  await button(/^Download/).click();

  await dialog().getByRole('link', { name: 'Manifest' }).waitFor();
  expect(sent).toHaveLength(2);
  await page.unrouteAll({ behavior: 'wait' });
});
