import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import type { Instance } from '../../support/instance.ts';
import { demoTenants } from '../../support/localService.ts';
import { addModel, addScreenData, addWebhooks } from './screenData.ts';
import { loadSample, type ScreenService, startScreenService } from './screenService.ts';

/** The pages by the names of their pictures. */
const PAGES: Readonly<Record<string, string>> = {
  overview: '',
  owners: '/owners',
  explore: '/explore',
  'explore-areas': '/explore?view=treemap',
  'explore-flows': '/explore?view=flow',
  'explore-why': '/explore?view=change&days=1',
  savings: '/savings',
  records: '/records',
  notifications: '/notifications',
  budgets: '/budgets',
  anomalies: '/anomalies',
  coverage: '/coverage',
  reconciliation: '/reconciliation',
  identity: '/identity',
  exports: '/exports',
  webhooks: '/webhooks',
  keys: '/keys',
  users: '/users',
  prices: '/prices',
  settings: '/settings',
  audit: '/audit',
};
/** Pages of one item, by the page whose table names it first. */
const ITEMS: Readonly<Record<string, string>> = {
  record: '/records?sort=-cost_usd',
  webhook: '/webhooks',
};
/** Taken last. A model attributes the records without an owner, so the other pages then have none. */
const WITH_MODEL: Readonly<Record<string, string>> = { quality: '/quality' };
const SCHEMES = ['light', 'dark'] as const;
const WIDTH = 1_280;
const MINIMUM_HEIGHT = 860;
/** A longer page is cut: its end has the same rows as its middle. */
const MAXIMUM_HEIGHT = 1_600;
const TALL: Readonly<Record<string, number>> = { reconciliation: 2_100 };
const TIMEOUT_MS = 90_000;

type Service = Pick<ScreenService, 'instance' | 'now'>;

const signIn = async (context: BrowserContext, { baseUrl, credentials }: Instance): Promise<void> => {
  const page = await context.newPage();
  const { user } = demoTenants(credentials).acme;
  await page.goto(`${baseUrl}/console`);
  await page.getByRole('button', { name: 'Continue to sign-in' }).click();
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  await page.close();
};

const take = async (page: Page, path: string, maximum = MAXIMUM_HEIGHT): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({
    width: WIDTH,
    height: Math.min(Math.max(height, MINIMUM_HEIGHT), maximum),
  });
  await page.screenshot({ path });
  await page.setViewportSize({ width: WIDTH, height: MINIMUM_HEIGHT });
};

interface Pages {
  readonly pages: Readonly<Record<string, string>>;
  readonly items: Readonly<Record<string, string>>;
}

const takeScheme = async (
  browser: Browser,
  { instance, now }: Service,
  folder: string,
  colorScheme: (typeof SCHEMES)[number],
  { pages, items }: Pages,
): Promise<void> => {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: MINIMUM_HEIGHT },
    reducedMotion: 'reduce',
    colorScheme,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.clock.install({ time: now() });
  await signIn(context, instance);
  const page = await context.newPage();
  const fileOf = (name: string): string => join(folder, `${name}-${colorScheme}.png`);
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${instance.baseUrl}/console${path}`);
    await take(page, fileOf(name), TALL[name]);
  }
  for (const [name, path] of Object.entries(items)) {
    await page.goto(`${instance.baseUrl}/console${path}`);
    await page.locator('tbody').getByRole('link').first().click();
    await page.locator('.back').waitFor();
    await take(page, fileOf(name));
  }
  await context.close();
};

/** Takes a picture of each page in both schemes, from a service of its own with the sample data and what people add to it. */
export const writeScreens = async (folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const service = await startScreenService();
  try {
    await addWebhooks(service);
    await loadSample(service);
    await addScreenData(service);
    const browser = await launchChromium();
    try {
      const takeAll = async (pages: Pages): Promise<void> => {
        for (const scheme of SCHEMES) await takeScheme(browser, service, folder, scheme, pages);
      };
      await takeAll({ pages: PAGES, items: ITEMS });
      await addModel(service);
      await takeAll({ pages: WITH_MODEL, items: {} });
    } finally {
      await browser.close();
    }
  } finally {
    await service.stop();
  }
};
