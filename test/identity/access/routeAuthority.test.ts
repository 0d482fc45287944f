import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { prepareChannelsChange } from '../../../functions/delivery/notifications/channels/channelChanges.ts';
import { requireReadable } from '../../../functions/delivery/webhooks/endpoints/authorization.ts';
import { authorizeMiddleware } from '../../../functions/identity/access/authorizeMiddleware.ts';
import { requireAuthorityOver } from '../../../functions/identity/credentials/authority.ts';
import { grantableScopes } from '../../../functions/identity/credentials/rights.ts';
import { requireAuthorityOverRole } from '../../../functions/identity/users/administrators.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import { authorizationBy } from '../../../functions/platform/tenancy/caller.ts';
import { type EventType, eventScopes } from '../../../schemas/delivery/events.ts';
import { channelScopes } from '../../../schemas/delivery/notifications.ts';
import { roleNames, roles } from '../../../schemas/identity/roles.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';
import type { Effect, LaneCoverage } from '../../../schemas/routes/authority.ts';
import { routes } from '../../../schemas/routes/index.ts';
import {
  type RouteShape,
  requiredScopes,
  routeKey,
  sufficientScopes,
} from '../../../schemas/routes/route.ts';
import { caller as aCaller, NOW } from '../../platform/http/harness.ts';
import { expectNoFaults, unequal } from '../../support/faults.ts';
import { readersOf } from './tableReaders.ts';

const PENDING_MARKS =
  'reads which minutes wait to be summed, and shows only up to when its totals are complete';
/**
 * Routes that read data over all lanes, and show nothing that depends on a lane or nothing of it to a credential with a lane.
 * Adding one is a security decision.
 */
const SHOWS_NO_LANE: Readonly<Record<string, string>> = {
  listJobs: 'shows jobs that cover every lane to a credential without a lane only',
  getJob: 'shows jobs that cover every lane to a credential without a lane only',
  getTenant: 'reads which model serves, and shows only the state of the prediction service',
  markNotificationsRead: 'reads and writes only up to when the caller has read',
  createBudget: PENDING_MARKS,
  listBudgets: PENDING_MARKS,
  getBudget: PENDING_MARKS,
  listBudgetPeriods: PENDING_MARKS,
  updateBudget: PENDING_MARKS,
};
const LANE_ORDER: readonly LaneCoverage[] = ['none', 'own', 'all'];

const readsOf = ({ needs }: RouteShape) => needs.map(readersOf).filter((readers) => readers !== null);

it('requires or withholds on every route the scopes that read the data of its needs, unless it shows none of it', async () => {
  await expectNoFaults(routes, routeKey, (route) => {
    const { withholds = [], internal = [] } = route.authority;
    const declared: ReadonlySet<Scope> = new Set([...requiredScopes(route), ...withholds, ...internal]);
    return readsOf(route).flatMap(({ scope }) =>
      scope !== null && !declared.has(scope) ? [`does not declare ${scope}`] : [],
    );
  });
});

/** What an alternative scope may do with a route. Any other alternative only reads. */
const ALTERNATIVE_EFFECTS: Partial<Readonly<Record<Scope, readonly Effect[]>>> = {
  'finance:config': ['attribution', 'deletion', 'none', 'settings'],
  'export:create': ['none'],
};

it('opens a route to another scope only for data that this scope reads too, and for no credential or egress', async () => {
  const open = routes.filter(({ alternative }) => alternative !== undefined);
  await expectNoFaults(open, routeKey, (route) => {
    const { reveals, withholds = [], internal = [], effect } = route.authority;
    const known: ReadonlySet<Scope | null | undefined> = new Set([
      null,
      route.alternative,
      ...reveals,
      ...withholds,
      ...internal,
    ]);
    return [
      ...(route.alternative !== undefined && ALTERNATIVE_EFFECTS[route.alternative]?.includes(effect)
        ? []
        : unequal('method and effect', [route.method, effect], ['GET', 'none'])),
      ...readsOf(route)
        .filter(({ scope, alternatives = [] }) => ![scope, ...alternatives].some((one) => known.has(one)))
        .map(({ scope }) => `reads data of ${scope}`),
    ];
  });
});

it('covers on every route the lanes of the data of its needs', async () => {
  const shown = routes.filter(({ operation }) => !(operation in SHOWS_NO_LANE));
  await expectNoFaults(shown, routeKey, (route) => {
    const { internal = [], lanes } = route.authority;
    const hidden: ReadonlySet<Scope> = new Set(internal);
    return readsOf(route)
      .filter(({ scope }) => scope !== null && !hidden.has(scope))
      .filter((readers) => LANE_ORDER.indexOf(lanes) < LANE_ORDER.indexOf(readers.lanes))
      .map((readers) => `covers the lanes ${lanes}, and reads ${readers.lanes} of ${readers.scope}`);
  });
});

it('limits every route that changes what a lane contains to a lane', async () => {
  const changes: readonly Effect[] = [
    'credentials',
    'egress',
    'export',
    'download',
    'attribution',
    'settings',
  ];
  const changing = routes.filter(({ authority }) => changes.includes(authority.effect));

  await expectNoFaults(changing, routeKey, ({ authority: { lanes, effect } }) =>
    lanes === 'none' ? [`has the effect ${effect} without a lane`] : [],
  );
});

it('declares each scope of a route once', async () => {
  await expectNoFaults(routes, routeKey, ({ access, authority }) => {
    const { reveals, withholds = [], internal = [] } = authority;
    const declared = [access, ...reveals, ...withholds, ...internal];
    return unequal('scopes', declared, [...new Set(declared)]);
  });
});

const callerWith = (scopes: ReadonlySet<Scope>): Caller => ({ ...aCaller, scopes });

/** Whether an operation or check accepts. Throws every error that is not INSUFFICIENT_SCOPE. */
const isAccepted = async (check: () => unknown): Promise<boolean> => {
  try {
    await check();
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'INSUFFICIENT_SCOPE') return false;
    throw error;
  }
};

const isAuthorized = (route: RouteShape, scopes: ReadonlySet<Scope>): Promise<boolean> =>
  isAccepted(() =>
    // The middleware reads these three members only.
    authorizeMiddleware.before?.({ event: { caller: callerWith(scopes), route, receivedAt: NOW } } as never),
  );

/** The scopes that a call of a route confers on the caller, or on a receiver that the caller chooses. */
type Conferral = (scopes: ReadonlySet<Scope>) => Promise<readonly Scope[]>;

const acceptedOf = async <Item>(items: readonly Item[], check: (item: Item) => unknown): Promise<Item[]> => {
  const accepted = await Promise.all(
    items.map(async (item) => ((await isAccepted(() => check(item))) ? [item] : [])),
  );
  return accepted.flat();
};

const newCredential: Conferral = (scopes) =>
  acceptedOf(scopeNames, (scope) => grantableScopes(callerWith(scopes), [scope]));
const existingCredential: Conferral = (scopes) =>
  acceptedOf(scopeNames, (scope) =>
    requireAuthorityOver(callerWith(scopes), { scopes: [scope], residency: null }),
  );
const newUser: Conferral = async (scopes) =>
  (await acceptedOf(roleNames, (role) => requireAuthorityOverRole(callerWith(scopes), role))).flatMap(
    (role) => roles[role],
  );
const eventTypes = Object.keys(eventScopes) as EventType[];
const subscription: Conferral = async (scopes) =>
  (await acceptedOf(eventTypes, (type) => requireReadable(callerWith(scopes), [type]))).flatMap(
    (type) => eventScopes[type],
  );
const channels: Conferral = async (scopes) => {
  const caller = callerWith(scopes);
  const set = () =>
    prepareChannelsChange(
      caller,
      { email: ['own@example.org'] },
      {
        by: authorizationBy(caller, NOW),
        vet: async (href) => ({ kind: 'accepted', href }),
        key: async () => new Uint8Array(32),
        random: randomBytes,
        sendsMail: true,
      },
    );
  return (await isAccepted(set)) ? channelScopes : [];
};
/** The route acts on what the caller may read already, and on nothing that another caller authorized. */
const nothing: Conferral = async () => [];

/** What each route with an effect that outlives its call confers. A new route with such an effect needs an entry. */
const conferrals: Readonly<Record<string, Conferral>> = {
  createApiKey: newCredential,
  rotateApiKey: existingCredential,
  revokeApiKey: nothing,
  createOAuthClient: newCredential,
  rotateOAuthClient: existingCredential,
  deleteOAuthClient: nothing,
  createUser: newUser,
  updateUser: newUser,
  removeUser: nothing,
  createWebhook: subscription,
  updateWebhook: subscription,
  deleteWebhook: nothing,
  verifyWebhook: nothing,
  rotateWebhookSecret: subscription,
  testWebhook: nothing,
  replayToWebhook: subscription,
  createFocusExport: nothing,
  createExportSchedule: nothing,
  deliverExport: nothing,
  updateExportSchedule: nothing,
  createExportDestination: nothing,
  updateExportDestination: nothing,
  getJob: nothing,
  updateTenant: channels,
  createBudget: nothing,
  createReportSubscription: nothing,
  muteAnomaly: nothing,
  unmuteAnomaly: nothing,
  dismissSaving: nothing,
  createAnnotation: nothing,
  createSavedView: nothing,
  postBusinessMetric: nothing,
  updateBudget: nothing,
  putCoverageExpectations: nothing,
  updateSandbox: nothing,
};
const OUTLIVES: ReadonlySet<Effect> = new Set(['credentials', 'egress', 'export', 'download', 'settings']);

it('states what every route with a lasting effect confers', () => {
  const lasting = routes
    .filter(({ authority }) => OUTLIVES.has(authority.effect))
    .map(({ operation }) => operation);

  expect(Object.keys(conferrals).toSorted()).toEqual(lasting.toSorted());
});

/** Every set of scopes that a credential can have. */
const subsets = Array.from({ length: 2 ** scopeNames.length }, (_, mask) =>
  scopeNames.filter((_name, index) => Math.floor(mask / 2 ** index) % 2 === 1),
);

const isOpenToAlternative = ({ alternative, authority }: RouteShape, held: ReadonlySet<Scope>) =>
  alternative !== undefined && [alternative, ...authority.reveals].every((scope) => held.has(scope));

/** The scopes whose data a credential can obtain, directly and through everything that it can administer. */
const obtainable = async (own: readonly Scope[]): Promise<Set<Scope>> => {
  const held = new Set(own);
  for (;;) {
    const before = held.size;
    for (const route of routes) {
      if (!(await isAuthorized(route, held))) continue;
      // The data of an alternative belongs to its scope too, as the tables declare.
      if (!isOpenToAlternative(route, held)) for (const scope of requiredScopes(route)) held.add(scope);
      for (const scope of (await conferrals[route.operation]?.(held)) ?? []) held.add(scope);
    }
    if (held.size === before) return held;
  }
};

it('lets no set of scopes obtain the data of another scope, over all routes', async () => {
  for (const own of subsets) expect([...(await obtainable(own))].toSorted()).toEqual(own.toSorted());
});

it('lets finance:config alone change neither credentials nor users nor where data goes', async () => {
  const held = new Set<Scope>(['finance:config', 'read:attribution', 'read:reporting']);
  const open = await Promise.all(
    routes.map(async (route) => {
      // The links of a job need `export:create`, without which it shows no export.
      const effect = route.authority.withholds?.includes('export:create') ? 'none' : route.authority.effect;
      return (await isAuthorized(route, held)) ? [effect] : [];
    }),
  );

  expect([...new Set(open.flat())].toSorted()).toEqual([
    'attribution',
    'authentication',
    'deletion',
    'none',
    'settings',
  ]);
});

it('shows a viewer sums, and no single call', async () => {
  const open = await Promise.all(
    routes.map(async (route) =>
      (await isAuthorized(route, new Set(roles.viewer))) && route.discloses === 'records'
        ? [route.operation]
        : [],
    ),
  );

  expect(open.flat()).toEqual([]);
});

it('authorizes a caller with a single scope on exactly the routes for which that scope is sufficient', async () => {
  await expectNoFaults(scopeNames, String, async (scope) => {
    const held = new Set([scope]);
    const open = await Promise.all(
      routes.map(async (route) => ((await isAuthorized(route, held)) ? [route.operation] : [])),
    );
    const expected = routes.filter(
      (route) =>
        route.access === 'optional' ||
        sufficientScopes(route).some((scopes) => scopes.every((one) => one === scope)),
    );
    return unequal(
      'opens',
      open.flat(),
      expected.map(({ operation }) => operation),
    );
  });
});

it('needs each scope for exactly the routes that declare it', async () => {
  await expectNoFaults(scopeNames, String, async (scope) => {
    const without = new Set(scopeNames.filter((other) => other !== scope));
    const refused = await Promise.all(
      routes.map(async (route) => ((await isAuthorized(route, without)) ? [] : [route.operation])),
    );
    const declaring = routes.filter((route) =>
      sufficientScopes(route).every((scopes) => scopes.includes(scope)),
    );
    return unequal(
      'needed by',
      refused.flat(),
      declaring.map(({ operation }) => operation),
    );
  });
});
