import type { BrowserContext, Cookie, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { call, someEvent } from './client.ts';
import type { Instance } from './instance.ts';

const TEAMS = ['ads', 'search', 'support'];
/** Groups of fewer persons are merged in reports. */
const TEAM_SIZE = 6;
const HOURS_MS = 3_600_000;
/** Only a fault waits as long. Busy machines need several seconds for a page. */
const TIMEOUT_MS = 90_000;
/** Each failed attempt ends after the service's limit of 2.5 s for the provider. */
const SIGN_IN_ATTEMPTS = 10;

/** Opens a browser with a time zone in which days differ from UTC. */
const startBrowser = async (): Promise<BrowserContext> => {
  const context = await (await launchChromium()).newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(observeLayoutShifts);
  return context;
};

let started: Promise<BrowserContext> | undefined;

/**
 * The browser that the files of a test process share, and its cache of the console's files, without pages, cookies and
 * stored settings of an earlier test. It ends with the process.
 */
const emptyBrowser = async (origin: string): Promise<BrowserContext> => {
  started ??= startBrowser();
  const context = await started;
  const page = await context.newPage();
  await Promise.all(
    context
      .pages()
      .filter((open) => open !== page)
      .map((open) => open.close()),
  );
  await context.clearCookies();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await session.detach();
  return context;
};

type Tenant = Instance['credentials']['tenants'][number];

/** Sends the calls of three teams over three days, one of them without a known price. */
export const sendCalls = async (
  { baseUrl, runtime }: Instance,
  { api_keys: keys }: Tenant,
): Promise<void> => {
  const persons = TEAMS.flatMap((team) => Array.from({ length: TEAM_SIZE }, (_, index) => ({ team, index })));
  for (const team of TEAMS) {
    const mapping = {
      name: `Everybody of ${team}`,
      owner: team,
      conditions: [{ field: 'identity', operator: 'prefix', value: `${team}-` }],
      effective_from: '2026-01-01T00:00:00Z',
    };
    await call(baseUrl, '/api/v1/identity/mappings', { key: keys.admin, body: mapping });
  }
  const events = persons.flatMap(({ team, index }) =>
    [0, 26, 50].map((hours) =>
      someEvent({
        attributed_identity: `${team}-${index}`,
        attributed_service: `${team}-service`,
        ingestion_timestamp: new Date(Date.now() - hours * HOURS_MS).toISOString(),
        ...(team === 'support' && index === 0 && { requested_model: 'in-house-1', provider: 'in-house' }),
      }),
    ),
  );
  await call(baseUrl, '/api/v1/invocations/batch', { key: keys.admin, body: { events } });
  await runtime.idle({ delayed: true });
};

/** Calls of each person with long inputs, none of them cached. */
const LONG_CALLS = 20;

/** Sends as many calls of a service as a suggestion needs, with long inputs that no cache serves. */
export const sendLongCalls = async (
  { baseUrl, runtime }: Instance,
  { api_keys: { admin: key } }: Tenant,
): Promise<void> => {
  const events = Array.from({ length: TEAM_SIZE * LONG_CALLS }, (_, index) =>
    someEvent({
      attributed_identity: `support-${index % TEAM_SIZE}`,
      attributed_service: 'support-writer',
      input_tokens: 50_000,
    }),
  );
  await call(baseUrl, '/api/v1/invocations/batch', { key, body: { events } });
  await runtime.idle({ delayed: true });
};

/** What the console printed to the log of the browser: nothing, unless something is wrong. */
const faults = new WeakMap<Page, string[]>();
export const faultsOf = (page: Page): readonly string[] => faults.get(page) ?? [];

/** Collects the layout shifts of a page from its first frame on, without those that follow an input. */
const observeLayoutShifts = `
  globalThis.layoutShifts = [];
  const keep = (entries) => layoutShifts.push(...entries.filter(({ hadRecentInput }) => !hadRecentInput));
  globalThis.layoutShiftObserver = new PerformanceObserver((list) => keep(list.getEntries()));
  layoutShiftObserver.observe({ type: 'layout-shift', buffered: true });
  globalThis.layoutShiftReport = () => {
    keep(layoutShiftObserver.takeRecords());
    return layoutShifts.map(({ value, sources }) => ({
      value,
      moved: sources.map(({ node }) => node?.className || node?.nodeName),
    }));
  };
`;

/** The layout shifts since the page was opened, each with the elements that moved. Call it when the page shows its data. */
export const layoutShiftsOf = (
  page: Page,
): Promise<readonly { readonly value: number; readonly moved: readonly string[] }[]> =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(layoutShiftReport()))))',
  );

/** Looks at each frame: what Playwright does not find in a quarter of a second, it looks for only twice a second. */
const hasSettled = `new Promise((done) => {
  const look = () =>
    document.querySelector('h1') !== null && document.querySelector('.skeleton') === null
      ? done()
      : requestAnimationFrame(look);
  look();
})`;

/** Waits until a page has loaded its data. */
export const settle = (page: Page): Promise<void> => page.evaluate(hasSettled);

/** Goes to a page of the console. Resolves when it has loaded its data. */
export const visit = async (
  page: Page,
  { baseUrl }: Pick<Instance, 'baseUrl'>,
  path: string,
): Promise<void> => {
  await page.goto(`${baseUrl}/console${path}`);
  await settle(page);
};

/** Opens a page of the console, and ends those of earlier tests. Without cookies, nobody is signed in. */
export const openConsole = async (
  instance: Instance,
  path: string,
  cookies: readonly Cookie[] = [],
): Promise<Page> => {
  const context = await emptyBrowser(instance.baseUrl);
  await context.addCookies([...cookies]);
  const [page = await context.newPage()] = context.pages();
  const found: string[] = [];
  faults.set(page, found);
  // The browser logs each failed request by itself.
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  await visit(page, instance, path);
  return page;
};

/** Clicks, and waits for the page that this leads to. */
const follow = async (page: Page, button: string | RegExp): Promise<void> => {
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: button, exact: true }).click();
  await loaded;
};

/**
 * Goes through the pages of the console and of the identity provider. On a busy machine the provider can answer later than
 * the service waits. The console then asks the user to try again, and this does.
 */
const passProvider = async (page: Page, authenticate: () => Promise<void>): Promise<void> => {
  const console = new URL(page.url()).origin;
  for (let attempt = 1; attempt <= SIGN_IN_ATTEMPTS; attempt += 1) {
    await follow(page, 'Continue to sign-in');
    // The provider shows no form to a user whom it signed in during an earlier attempt.
    if (new URL(page.url()).origin !== console) await authenticate();
    if (new URL(page.url()).searchParams.get('sign_in_error') !== 'temporarily_unavailable') break;
  }
};

/** Signs a demo user in without a password, by the begin of the name. */
export const signInAsDemoUser = async (page: Page, name: RegExp): Promise<void> => {
  await passProvider(page, () => follow(page, name));
  await settle(page);
  await page.getByRole('navigation', { name: 'Console' }).waitFor({ state: 'attached' });
};

/** Signs a user in by password. A user of several tenants chooses one by its name. */
export const signIn = async (page: Page, { user }: Tenant, tenantName?: string): Promise<void> => {
  await passProvider(page, async () => {
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(user.password);
    await follow(page, 'Sign in');
  });
  await settle(page);
  if (tenantName !== undefined) await page.getByRole('button', { name: tenantName, exact: true }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor({ state: 'attached' });
};

/** The cookies of a signed-in user, for pages of other tests. */
export const signedInCookies = async (instance: Instance, tenant: Tenant): Promise<Cookie[]> => {
  const page = await openConsole(instance, '/audit');
  await signIn(page, tenant);
  return page.context().cookies();
};

/** A request with which a form was sent. */
interface SentForm {
  readonly key: string | undefined;
  readonly body: string | null;
}

/**
 * Rejects the first request, or the first `rejections`, of this method below a path as if the sign-in of the person was too
 * old. Returns all of them, the rejected ones included.
 */
export const requireRecentSignIn = async (
  page: Page,
  method: string,
  path: string,
  rejections = 1,
): Promise<readonly SentForm[]> => {
  const sent: SentForm[] = [];
  await page.route(`**${path}`, async (route) => {
    const request = route.request();
    if (request.method() !== method) return route.fallback();
    sent.push({ key: request.headers()['idempotency-key'], body: request.postData() });
    if (sent.length > rejections) return route.fallback();
    const problem = { error_code: 'STEP_UP_REQUIRED', status: 401, title: '', detail: '', trace_id: '' };
    return route.fulfill({ status: 401, json: problem });
  });
  return sent;
};
