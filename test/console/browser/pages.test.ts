import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttributionPage } from '../../../schemas/routes/attribution/attribution.ts';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { call } from '../../support/client.ts';
import {
  faultsOf,
  layoutShiftsOf,
  openConsole,
  sendCalls,
  sendLongCalls,
  settle,
  signedInCookies,
} from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { administrationOf, demoTenants, deploymentOf } from '../../support/localService.ts';
import { seedModels } from '../../support/models.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';
import { smallTargets, TARGET_MINIMUM, useTouch } from '../../support/targets.ts';
import { internalWordsIn } from './internalWords.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface PageCase {
  readonly path: string;
  readonly heading: string | RegExp;
  /** The buttons that open a drawer or a dialog. */
  readonly opens?: readonly string[];
}

const PAGES: readonly PageCase[] = [
  { path: '', heading: 'Overview', opens: ['Open navigation'] },
  { path: '?measure=energy&days=30', heading: 'Overview' },
  { path: '/owners', heading: 'Owners' },
  { path: '/explore', heading: 'Explore' },
  { path: '/explore?view=treemap', heading: 'Explore' },
  { path: '/explore?view=flow', heading: 'Explore' },
  { path: '/explore?view=change', heading: 'Explore' },
  { path: '/explore?view=unit', heading: 'Explore' },
  { path: '/explore?view=forecast&group=model_family', heading: 'Explore' },
  { path: '/savings', heading: 'Savings' },
  { path: '/savings?kind=batch', heading: 'Savings' },
  // Filtered, because the rules of accessibility take longest for many rows.
  { path: '/records?owner=ads', heading: 'Records' },
  { path: '/records/:id', heading: / for /, opens: ['Override', 'Dispute'] },
  { path: '/notifications', heading: 'Notifications' },
  { path: '/budgets', heading: 'Budgets', opens: ['Create a budget', 'Periods of Everything'] },
  { path: '/anomalies', heading: 'Anomalies', opens: ['Mute ads-service'] },
  { path: '/coverage', heading: 'Coverage', opens: ['Set expectations', 'Set up OpenTelemetry'] },
  { path: '/quality', heading: 'Attribution quality' },
  { path: '/reconciliation', heading: 'Reconciliation', opens: ['Add a source', 'Add Amazon Bedrock'] },
  { path: '/identity', heading: 'Identity mappings', opens: ['Create a mapping'] },
  { path: '/exports', heading: 'Exports', opens: ['Create an export', 'Schedule exports'] },
  { path: '/webhooks', heading: 'Webhooks', opens: ['Add an endpoint'] },
  { path: '/keys', heading: 'Keys and clients', opens: ['Create an API key'] },
  { path: '/users', heading: 'Users and roles', opens: ['Add a user'] },
  { path: '/prices', heading: 'Contract prices', opens: ['Add a price'] },
  { path: '/settings', heading: 'Settings', opens: ['Edit tenant settings', 'Edit notification channels'] },
  { path: '/audit', heading: 'Audit log' },
  { path: '/no-such-page', heading: 'No such page' },
];
/** A mouse on a wide screen, and a finger on a phone. */
const DEVICES = [
  { width: 1_440, pointer: 'mouse' },
  { width: 390, pointer: 'touch' },
] as const;
/** What the Core Web Vitals call good is 0.1. */
const LAYOUT_SHIFT_MAXIMUM = 0.05;
/** The scheme changes colours only, so the other rules are checked once. axe runs the rule of WCAG 2.2 only when asked. */
const SCHEMES: Readonly<Record<'light' | 'dark', RunOptions>> = {
  light: { rules: { 'target-size': { enabled: true } } },
  dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
};

declare global {
  var axe: { run: (options: RunOptions) => Promise<AxeResults> };
}

let instance: Instance;
let cookies: Awaited<ReturnType<typeof signedInCookies>>;
let recordId: string;

/** Rows on the pages that sent calls alone leave empty. */
const addRows = async (): Promise<void> => {
  const { acme } = demoTenants(instance.credentials);
  const key = acme.api_keys.admin;
  const budget = { name: 'Everything', ceiling_usd: '500', period: 'month', scope: {} };
  await call(instance.baseUrl, '/api/v1/budgets', { key, body: budget });
  const schedule = { every: 'day', request: { format: 'focus', group_by: ['owner'] } };
  await call(instance.baseUrl, '/v1/exports/schedules', { key, body: schedule });
  const price = { provider: 'openai', model: 'gpt-4o*', from: '2026-01-01T00:00:00Z', input: '2' };
  await call(instance.baseUrl, '/api/v1/contract-prices', { method: 'PUT', key, body: { prices: [price] } });
  const { body } = await call(instance.baseUrl, '/v1/attribution?owner=ads', { key });
  recordId = AttributionPage.parse(body).data[0]?.id ?? '';
  const dispute = { reason: 'This is not our call' };
  await call(instance.baseUrl, `/v1/attribution/${recordId}/disputes`, { key, body: dispute });
  const tenant = await (await administrationOf(instance)).show(acme.tenant_id);
  if (tenant === null) throw new Error('The demo tenant exists.');
  const deployment = await deploymentOf(instance);
  await seedModels(deployment, tenant, 1);
  const anomaly = anAnomaly(tenant.tag, Date.now() - 86_400_000, { value: 'ads-service' });
  await seedAnomalies(deployment, tenant, [anomaly]);
};

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme } = demoTenants(instance.credentials);
  await sendCalls(instance, acme);
  await sendLongCalls(instance, acme);
  await addRows();
  cookies = await signedInCookies(instance, acme);
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

/** What a reader sees, and the names of what has none to see. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(`document.body.innerText + ' ' +
    [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label')).join(' ')`);

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('every page of the console', () => {
  it.each(PAGES)(
    'is accessible in both schemes with mouse and touch, loads without jumps, and says it in plain words: $path',
    async ({ path, heading, opens = [] }) => {
      const page = await openConsole(instance, path.replace(':id', recordId), cookies);

      for (const { width, pointer } of DEVICES) {
        if (pointer === 'touch') {
          await page.setViewportSize({ width, height: 900 });
          await useTouch(page);
          await page.reload();
          await settle(page);
        }
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await settle(page);
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
        expect(await smallTargets(page, TARGET_MINIMUM[pointer])).toEqual([]);
      }
      expect(internalWordsIn(await textOf(page))).toEqual([]);
      for (const name of opens) {
        await page.getByRole('button', { name, exact: true }).click();
        expect(await smallTargets(page, TARGET_MINIMUM.touch)).toEqual([]);
        expect(internalWordsIn(await textOf(page))).toEqual([]);
        await page.keyboard.press('Escape');
      }
      expect(faultsOf(page)).toEqual([]);
    },
  );
});

it('suggests filters in a list that is accessible', async () => {
  const page = await openConsole(instance, '/explore?owner=ads', cookies);
  await page.getByRole('combobox', { name: 'Add a filter' }).click();
  await page.getByRole('option').first().waitFor();
  await page.evaluate(axeSource);
  expect(await violationsOf(page, SCHEMES.light)).toEqual([]);
  expect(await smallTargets(page, TARGET_MINIMUM.mouse)).toEqual([]);
});

it('shows ids in a monospace font', async () => {
  const page = await openConsole(instance, '/keys', cookies);
  await page.locator('.mono').first().waitFor();
  const widths: number[] = await page.evaluate(`['iiiii', 'WWWWW'].map((text) => {
    const sample = document.body.appendChild(document.createElement('span'));
    sample.className = 'mono';
    sample.textContent = text;
    return sample.getBoundingClientRect().width;
  })`);
  expect(new Set(widths).size).toBe(1);
});
