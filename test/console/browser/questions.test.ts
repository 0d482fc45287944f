import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { call, someEvent } from '../../support/client.ts';
import {
  openConsole,
  sendCalls,
  sendLongCalls,
  settle,
  signedInCookies,
  visit,
} from '../../support/consoleBrowser.ts';
import type { Instance } from '../../support/instance.ts';
import { administrationOf, demoTenants, deploymentOf } from '../../support/localService.ts';
import { sharedInstance } from '../../support/sharedInstance.ts';

const DAY_MS = 86_400_000;
const CLICKS_MAXIMUM = 2;
/** Days ago: yesterday twice, each day of the weeks before, and enough before them for a comparison of months. */
const EARLIER_DAYS = [1, 1, ...Array.from({ length: 20 }, (_, index) => index + 3), 30, 40, 50, 60, 70];
const YESTERDAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
const WEEKS_AGO = new Date(Date.now() - 14 * DAY_MS).toISOString().slice(0, 10);

let instance: Instance;
let page: Page;

/** What a click or a key does after the overview is shown. Typing needs no click: the field has the focus of the click before. */
type Action =
  | { readonly click: 'link' | 'button' | 'combobox'; readonly name: string }
  | { readonly fill: string; readonly with: string }
  | { readonly type: string };

interface Question {
  readonly question: string;
  readonly path: readonly Action[];
  /** The region or dialog that has the answer, and what it says. */
  readonly answer: { readonly in: string; readonly says: readonly RegExp[] };
}

const link = (name: string): Action => ({ click: 'link', name });
const button = (name: string): Action => ({ click: 'button', name });

const CAUSES = [/Period before.*\$\d.*Number of calls.*\$\d.*This period.*\$\d/s];

const QUESTIONS: readonly Question[] = [
  {
    question: 'what did we spend, what will the month cost, who must act, and what changed most',
    path: [],
    answer: {
      in: 'Totals',
      says: [/Spend.*\$\d/s, /Forecast of the month.*\$\d/s, /Without an owner/, /Largest change.*\$\d/s],
    },
  },
  {
    question: 'why did the spend change',
    path: [link('Why')],
    answer: { in: 'Steps, table', says: CAUSES },
  },
  {
    question: 'which owner grew most, and mostly by what',
    path: [link('Why')],
    answer: { in: 'Largest changes, table', says: [/Owner.*Mostly.*search.*\$\d/s] },
  },
  {
    question: 'which model grew most, and mostly by what',
    path: [link('Why'), button('Model')],
    answer: { in: 'Largest changes, table', says: [/Model.*Mostly.*gpt-4o.*\$\d/s] },
  },
  {
    question: 'what do a call and a person cost',
    path: [link('Unit costs')],
    answer: { in: 'Unit costs, table', says: [/A call.*A person.*All calls.*\$0\.\d+.*\$\d/s] },
  },
  {
    question: 'what do a million tokens of each kind cost',
    path: [link('Unit costs'), button('Tokens')],
    answer: {
      in: 'Unit costs, table',
      says: [/1M input tokens.*1M from cache.*1M output tokens.*\$\d/s],
    },
  },
  {
    question: 'what does a call of each feature cost',
    path: [link('Unit costs'), button('Service')],
    answer: { in: 'Unit costs, table', says: [/Service.*A call.*ads-service.*\$\d/s] },
  },
  {
    question: 'how much input came from a cache, and what did that save',
    path: [link('Unit costs'), button('Cache')],
    answer: { in: 'Unit costs, table', says: [/Input from cache.*Cache saved.*All calls/s] },
  },
  {
    question: 'what will the month cost for each owner',
    path: [link('Explore'), button('Forecast')],
    answer: { in: 'Forecast, table', says: [/All calls.*\$\d.* – .*search.*\$\d.* – /s] },
  },
  {
    question: 'what could cost less, and on which calls does that rest',
    path: [link('Savings')],
    answer: { in: 'Savings, table', says: [/Cache what.*support.*\$\d.*\d+ calls/s] },
  },
  {
    question: 'which services have no owner',
    path: [link('Name owners')],
    answer: { in: 'Services without an owner, table', says: [/Service.*orphan-service.*\$\d/s] },
  },
  {
    question: 'what did calls cost that failed or were cut off',
    path: [link('Unit costs')],
    answer: { in: 'Unit costs, table', says: [/Failed calls.*Incomplete calls.*All calls/s] },
  },
  {
    question: 'how do others find what the page shows',
    path: [link('Explore'), button('Save this view')],
    answer: { in: 'Save this view', says: [/Everyone of the tenant finds it on this page.*Name/s] },
  },
  {
    question: 'what happened on a day',
    path: [link('Explore'), button('Note what happened')],
    answer: { in: 'Note what happened', says: [/Charts over time show it.*Day/s] },
  },
  {
    question: 'which cause has an anomaly',
    path: [link('Anomalies'), link('Why')],
    answer: { in: 'Steps, table', says: CAUSES },
  },
  {
    question: 'in which hour did an anomaly begin',
    path: [link('Anomalies'), link('Hours')],
    answer: { in: 'Spend by owner', says: [/\d\d:00/] },
  },
  {
    question: 'which calls are an anomaly',
    path: [link('Anomalies'), link('Calls')],
    answer: { in: 'Calls, table', says: [/search-service.*\$\d/s] },
  },
  {
    question: 'how does a team get its month by mail',
    path: [link('Notifications'), button('Subscribe')],
    answer: { in: 'Subscribe to a report', says: [/Every.*Month.*My e-mail.*Owner/s] },
  },
  {
    question: 'what do the owners spend at one provider',
    path: [link('Explore'), { click: 'combobox', name: 'Add a filter' }, { type: 'anthropic' }],
    answer: { in: 'Groups, table', says: [/Owner.*ads.*\$\d/s] },
  },
  {
    question: 'what does a model cost with all of its dated versions',
    path: [link('Explore'), button('Model family')],
    answer: { in: 'Groups, table', says: [/Model family.*gpt-4o\$\d/s] },
  },
  {
    question: 'how does the month compare with the same days of the last one',
    path: [link('Explore'), button('This month')],
    answer: { in: 'Sums', says: [/Spend.*\$\d.*[+−]\$\d.*to the same days of the month before/s] },
  },
  {
    question: 'what changed since the days before a release',
    path: [link('Why'), { fill: 'Compare from', with: WEEKS_AGO }],
    answer: { in: 'Steps, table', says: CAUSES },
  },
];

beforeAll(async () => {
  instance = await sharedInstance();
  const { globex } = demoTenants(instance.credentials);
  await sendCalls(instance, globex);
  await sendLongCalls(instance, globex);
  const events = EARLIER_DAYS.flatMap((days) =>
    Array.from({ length: 6 }, (_, person) =>
      ['ads', 'search'].map((team) =>
        someEvent({
          attributed_identity: `${team}-${person}`,
          attributed_service: `${team}-service`,
          ingestion_timestamp: new Date(Date.now() - days * DAY_MS).toISOString(),
          ...(team === 'ads'
            ? { provider: 'anthropic', requested_model: 'claude-sonnet-4-5-20250929' }
            : { requested_model: days % 2 === 0 ? 'gpt-4o-2024-11-20' : 'gpt-4o-2024-08-06' }),
        }),
      ),
    ).flat(),
  );
  const orphans = Array.from({ length: 6 }, (_, person) =>
    someEvent({
      attributed_identity: undefined,
      attributed_service: 'orphan-service',
      end_user: `person-${person}`,
    }),
  );
  const key = globex.api_keys.admin;
  const answer = await call(instance.baseUrl, '/api/v1/invocations/batch', {
    key,
    body: { events: [...events, ...orphans] },
  });
  expect(answer.status, answer.text).toBe(202);
  await instance.runtime.idle({ delayed: true });
  const tenant = await (await administrationOf(instance)).show(globex.tenant_id);
  if (tenant === null) throw new Error('The demo tenant exists.');
  const anomaly = anAnomaly(tenant.tag, YESTERDAY, { value: 'search-service' });
  await seedAnomalies(await deploymentOf(instance), tenant, [
    {
      ...anomaly,
      grain: 'day',
      period: { ...anomaly.period, to: new Date(YESTERDAY + DAY_MS).toISOString() },
    },
  ]);
  page = await openConsole(instance, '', await signedInCookies(instance, globex));
});
afterAll(() => instance?.stop());

const act = async (action: Action): Promise<void> => {
  if ('type' in action) {
    await page.keyboard.type(action.type);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  } else if ('fill' in action) {
    await page.getByLabel(action.fill).fill(action.with);
  } else {
    await page.getByRole(action.click, { name: action.name, exact: true }).first().click();
  }
  await settle(page);
};

/** A click is a press of the mouse. A field is clicked before it is filled. */
const clicksOf = (path: readonly Action[]): number => path.filter((action) => !('type' in action)).length;

const regionOf = (name: string): Locator =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('dialog', { name, exact: true }));

describe('from the start page, two clicks at most answer', () => {
  it.each(QUESTIONS)('$question', async ({ path, answer }) => {
    expect(clicksOf(path)).toBeLessThanOrEqual(CLICKS_MAXIMUM);
    await visit(page, instance, '');

    for (const action of path) await act(action);

    for (const says of answer.says)
      await expect.poll(() => regionOf(answer.in).textContent(), { timeout: 60_000 }).toMatch(says);
  });
});

it('says in the row of an anomaly in which hour it began, and what led to it', async () => {
  await page.getByRole('link', { name: 'Anomalies', exact: true }).first().click();
  await page.getByText('What led to it').first().click();

  await page.getByText(/It began in the hour from/).waitFor();
  expect(await regionOf('Steps, table').innerText()).toMatch(/Period before[\s\S]*This period/);
});
