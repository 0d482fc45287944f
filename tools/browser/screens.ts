import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import * as z from 'zod';
import { launchChromium } from './chromium.ts';

/** The pages by the names of their pictures. */
const PAGES: Readonly<Record<string, string>> = {
  overview: '',
  explore: '/explore',
  'explore-areas': '/explore?view=treemap',
  'explore-flows': '/explore?view=flow',
  records: '/records',
  notifications: '/notifications',
  budgets: '/budgets',
  anomalies: '/anomalies',
  coverage: '/coverage',
  quality: '/quality',
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
const SCHEMES = ['light', 'dark'] as const;
const VIEWPORT = { width: 1_280, height: 860 };
const TIMEOUT_MS = 90_000;

const Credentials = z.object({
  base_url: z.string(),
  tenants: z.array(z.object({ user: z.object({ email: z.string(), password: z.string() }) })).min(1),
});
type Credentials = z.infer<typeof Credentials>;

const signIn = async (
  context: BrowserContext,
  { base_url: baseUrl, tenants }: Credentials,
): Promise<void> => {
  const page = await context.newPage();
  const [tenant] = tenants;
  await page.goto(`${baseUrl}/console`);
  await page.getByRole('button', { name: 'Continue to sign-in' }).click();
  await page.getByLabel('E-mail').fill(tenant?.user.email ?? '');
  await page.getByRole('textbox', { name: 'Password' }).fill(tenant?.user.password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  await page.close();
};

const takeScreens = async (
  browser: Browser,
  credentials: Credentials,
  folder: string,
  colorScheme: (typeof SCHEMES)[number],
): Promise<void> => {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce', colorScheme });
  context.setDefaultTimeout(TIMEOUT_MS);
  await signIn(context, credentials);
  const page = await context.newPage();
  const take = async (name: string): Promise<void> => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  };
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(`${credentials.base_url}/console${path}`);
    await take(name);
  }
  await page.goto(`${credentials.base_url}/console/records?sort=-cost_usd`);
  await page.getByRole('region', { name: 'Calls, table' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 2, name: 'Evidence' }).waitFor();
  await take('record');
  await context.close();
};

/** Takes a picture of each page in both schemes, from the service that runs on a data directory of this machine. */
export const writeScreens = async (dataDir: string, folder: string): Promise<void> => {
  const credentials = Credentials.parse(JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')));
  mkdirSync(folder, { recursive: true });
  const browser = await launchChromium();
  try {
    for (const scheme of SCHEMES) await takeScreens(browser, credentials, folder, scheme);
  } finally {
    await browser.close();
  }
};
