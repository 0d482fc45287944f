import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  faultsOf,
  layoutShiftsOf,
  openConsole,
  sendCalls,
  signedInState,
} from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { demoTenants } from '../../support/localService.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PAGES = [
  ['', 'Overview'],
  ['?measure=energy&days=30', 'Overview'],
  ['/explore', 'Explore'],
  ['/explore?view=treemap', 'Explore'],
  ['/explore?view=flow', 'Explore'],
  // Filtered, because the rules of accessibility take longest for many rows.
  ['/records?owner=ads', 'Records'],
  ['/notifications', 'Notifications'],
  ['/budgets', 'Budgets'],
  ['/anomalies', 'Anomalies'],
  ['/coverage', 'Coverage'],
  ['/quality', 'Attribution quality'],
  ['/reconciliation', 'Reconciliation'],
  ['/identity', 'Identity mappings'],
  ['/exports', 'Exports'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'Keys and clients'],
  ['/users', 'Users and roles'],
  ['/prices', 'Contract prices'],
  ['/settings', 'Settings'],
  ['/audit', 'Audit log'],
] as const;
const WIDTHS = [1280, 390];
/** What the Core Web Vitals call good is 0.1. */
const LAYOUT_SHIFT_MAXIMUM = 0.05;
/** The scheme changes colours only, so the other rules are checked once. */
const SCHEMES: Readonly<Record<'light' | 'dark', RunOptions>> = {
  light: {},
  dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
};

declare global {
  var axe: { run: (options: RunOptions) => Promise<AxeResults> };
}

let instance: Instance;
let state: Awaited<ReturnType<typeof signedInState>>;

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme } = demoTenants(instance.credentials);
  await sendCalls(instance, acme);
  state = await signedInState(instance, acme);
});
afterAll(() => instance?.stop());

/** Each violation of an accessibility rule, with the first element that breaks it. */
const violationsOf = async (page: Page, options: RunOptions): Promise<string[]> => {
  const { violations } = await page.evaluate((chosen) => globalThis.axe.run(chosen), {
    ...options,
    resultTypes: ['violations' as const],
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
};

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('every page of the console', () => {
  it.each(PAGES)(
    'is accessible in both schemes and widths, and loads without jumps: %s',
    async (path, heading) => {
      const page = await openConsole(instance, path, state);

      for (const width of WIDTHS) {
        if (page.viewportSize()?.width !== width) {
          await page.setViewportSize({ width, height: 900 });
          await page.reload();
        }
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        const shifts = await layoutShiftsOf(page);
        const total = shifts.reduce((sum, { value }) => sum + value, 0);
        expect(total, JSON.stringify(shifts)).toBeLessThanOrEqual(LAYOUT_SHIFT_MAXIMUM);
        // Charts follow the new width after a frame.
        await expect.poll(() => sidewaysScroll(page)).toBe(0);
        await page.evaluate(axeSource);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await violationsOf(page, SCHEMES[colorScheme])).toEqual([]);
        }
      }
      expect(faultsOf(page)).toEqual([]);
      await page.context().close();
    },
  );
});
