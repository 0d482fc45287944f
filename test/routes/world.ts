import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import * as z from 'zod';
import { type Scope, scopeNames } from '../../schemas/identity/scopes.ts';
import { type ErrorCode, problemTypes } from '../../schemas/problems.ts';
import { createIdentityMapping } from '../../schemas/routes/attribution/mappings.ts';
import { createBillSource } from '../../schemas/routes/chargeback/billSources.ts';
import { createExportDestination } from '../../schemas/routes/chargeback/exportDestinations.ts';
import { createExportSchedule } from '../../schemas/routes/chargeback/exports.ts';
import { createReportSubscription } from '../../schemas/routes/delivery/reportSubscriptions.ts';
import { createWebhook } from '../../schemas/routes/delivery/webhooks.ts';
import { createAnnotation } from '../../schemas/routes/insight/annotations.ts';
import { createBudget } from '../../schemas/routes/insight/budgets.ts';
import { postBusinessMetric } from '../../schemas/routes/insight/businessMetrics.ts';
import { createSavedView } from '../../schemas/routes/insight/savedViews.ts';
import { dismissSaving } from '../../schemas/routes/insight/savingDismissals.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { expectConforming, type Service } from '../platform/apiDocs/contract/expectConforming.ts';
import { OpenApiDocument } from '../platform/apiDocs/contract/openapiDocument.ts';
import { ABSENT_ULID, goodRequest, pathOf } from '../platform/apiDocs/contract/requests.ts';
import { anAnomaly, seedAnomalies } from '../support/anomalies.ts';
import { seedBills } from '../support/bills.ts';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { seedExports } from '../support/exports.ts';
import { startInstance } from '../support/instance.ts';
import { demoTenants, deploymentOf, UNLIMITED } from '../support/localService.ts';
import { seedModels } from '../support/models.ts';
import { SILENT_RECEIVER, verifyEndpoint } from '../support/webhooks.ts';

export const OWN = 'acme';
export const OTHER = 'globex';
const HOUR_MS = 60 * 60 * 1_000;

/** The identifier of a resource. */
export const idIn = (resource: Readonly<Record<string, unknown>> | undefined): string =>
  String(resource?.['id'] ?? resource?.['client_id'] ?? resource?.['version'] ?? resource?.['job_id']);

const LISTS_WITH_OTHERS = [
  '/v1/attribution',
  '/api/v1/api-keys',
  '/api/v1/oauth-clients',
  '/api/v1/identity/mappings',
  '/api/v1/models',
  '/api/v1/budgets',
  '/api/v1/bill-sources',
  '/api/v1/annotations',
  '/api/v1/saved-views',
  '/api/v1/saving-dismissals',
  '/api/v1/business-metrics',
  '/api/v1/jobs',
  '/v1/exports/schedules',
  '/v1/exports/destinations',
  '/api/v1/report-subscriptions',
  '/api/v1/webhooks',
  '/api/v1/users',
  '/api/v1/anomalies',
];

/** Disputes two records, so that the list of disputes has two pages. */
const disputeRecords = async (baseUrl: string, key: string): Promise<void> => {
  const { data } = (await call(baseUrl, '/v1/attribution?limit=2', { key })).body;
  for (const record of Array.isArray(data) ? data : []) {
    await call(baseUrl, `/v1/attribution/${idIn(record)}/disputes`, { key, body: { reason: 'Not ours' } });
  }
};

/** An instance with two tenants that have at least one resource of each kind, and credentials with every scope. */
export const startRouteWorld = async () => {
  const instance = await startInstance({
    // The requests reach every function. A second environment of each would double the cost of the starts.
    environment: { ...UNLIMITED, LOCAL_CONCURRENCY: '1', WEBHOOK_ALLOW_HOSTS: SILENT_RECEIVER },
  });
  const { baseUrl, dataDir, credentials } = instance;
  const { tables, endpoints, outputs } = credentials;
  const { acme, globex } = demoTenants(credentials);
  const deployment = await deploymentOf(instance);
  const administration = await tenantAdministration(deployment);
  const [own, other] = await Promise.all([OWN, OTHER].map(administration.show));
  if (!own || !other) throw new Error('a demo tenant is missing');
  const adminKey = acme.api_keys.admin;
  const otherKey = globex.api_keys.admin;
  const client = acme.oauth_client;
  const keyWith = new Map<Scope, string>();
  for (const scope of scopeNames) keyWith.set(scope, await administration.issueKey(own, scope, [scope]));
  const service: Service = {
    baseUrl,
    document: OpenApiDocument.parse((await call(baseUrl, '/openapi.json')).body),
    internals: [
      OTHER,
      dataDir,
      ...Object.values(tables),
      ...Object.values(endpoints).filter((url) => url !== null),
      ...Object.entries(outputs).flatMap(([name, value]) => (/^(?:Queue|Key)/.test(name) ? [value] : [])),
    ],
  };
  for (const key of [adminKey, adminKey, otherKey, otherKey]) {
    // The cost of the own calls waits for a confirmation.
    const members = key === adminKey ? { estimated_cost_usd: '123456' } : {};
    await call(baseUrl, '/api/v1/invocations', { key, body: someEvent(members) });
  }
  await instance.runtime.idle();
  for (const key of [adminKey, otherKey]) await disputeRecords(baseUrl, key);
  const create = (path: string, route: RouteShape, key: string) =>
    call(baseUrl, path, { ...goodRequest(route, client), key });
  await create('/api/v1/identity/mappings', createIdentityMapping, otherKey);
  for (const key of [adminKey, otherKey]) {
    for (const text of ['one', 'two']) {
      for (const [route, member] of [
        [createAnnotation, 'text'],
        [createSavedView, 'name'],
      ] as const) {
        const request = goodRequest(route, client);
        await call(baseUrl, route.path, {
          ...request,
          key,
          body: { ...Object(request.body), [member]: text },
        });
      }
    }
  }
  await create('/api/v1/budgets', createBudget, otherKey);
  await create('/api/v1/bill-sources', createBillSource, otherKey);
  for (const key of [adminKey, otherKey]) {
    for (const service of ['one', 'two']) {
      for (const route of [dismissSaving, postBusinessMetric]) {
        const request = goodRequest(route, client);
        await call(baseUrl, route.path, { ...request, key, body: { ...Object(request.body), service } });
      }
    }
  }
  await create('/api/v1/webhooks', createWebhook, otherKey);
  await seedExports(deployment, other, 3);
  const finishedExport = await seedExports(deployment, own, 3, 1);
  for (const tenant of [own, other]) {
    await seedModels(deployment, tenant, 3);
  }
  for (const key of [adminKey, adminKey, otherKey, otherKey]) {
    await create('/v1/exports/schedules', createExportSchedule, key);
    await create('/v1/exports/destinations', createExportDestination, key);
    await create('/api/v1/report-subscriptions', createReportSubscription, key);
  }
  await seedBills(baseUrl, adminKey);
  for (const tenant of [own, other]) {
    await seedAnomalies(
      deployment,
      tenant,
      [1, 2, 3].map((hours) => anAnomaly(tenant.tag, hours * HOUR_MS)),
    );
  }
  const destinations = await call(baseUrl, '/v1/exports/destinations', { key: adminKey });
  const destination = z
    .object({ data: z.tuple([z.object({ id: z.string() })], z.unknown()) })
    .parse(destinations.body);
  const otherIds = new Map<string, string>();
  for (const path of LISTS_WITH_OTHERS) {
    const { data } = (await call(baseUrl, path, { key: otherKey })).body;
    const [resource] = Array.isArray(data) ? data : [];
    const id = idIn(resource);
    otherIds.set(id.slice(0, 3), id);
  }
  const missingId = (prefix: string): string => `${prefix}_${own.tag}${ABSENT_ULID}`;

  /** Sends a request and checks the response against the contract of the route. */
  const sendAndCheck = async (
    route: RouteShape,
    request: Request,
    path = pathOf(route, missingId),
  ): Promise<Answer> => {
    const answer = await call(baseUrl, path, request);
    const isAuthenticated = request.key !== undefined && answer.status !== 401;
    expectConforming(route, answer, service, isAuthenticated ? OWN : undefined);
    return answer;
  };

  return {
    service,
    client,
    adminKey,
    otherKey,
    /** Another key of the own tenant with every scope. */
    secondAdminKey: await administration.issueKey(own, 'second administrator', [...scopeNames]),
    /** A key of the own tenant with only this scope. */
    keyWith: (scope: Scope): string => keyWith.get(scope) ?? '',
    /** A key of a sandbox tenant with every scope. */
    sandboxKey: await administration.issueKey(
      await administration.open({
        tenantId: 'playground',
        name: 'Playground',
        plan: 'enterprise',
        residency: [],
        sandbox: true,
      }),
      'sandbox administrator',
      [...scopeNames],
    ),
    ingestKey: acme.api_keys.ingest,
    /** Resource ids of the other tenant, by prefix. */
    otherIds,
    missingId,
    missingOtherId: (prefix: string): string => `${prefix}_${other.tag}${ABSENT_ULID}`,
    /** The id of an export of the own tenant that has succeeded. */
    finishedExport,
    /** Marks a webhook endpoint of the own tenant as verified. */
    markVerified: (id: string) => verifyEndpoint(deployment, own, id),
    /** A valid request with the changes of a test. Uses the admin key unless the route is public. */
    validRequest: (route: RouteShape, change: Request = {}): Request => {
      const sample = goodRequest(route, client);
      // A tenant has one user with an e-mail address, and one bill source of an account. A destination must be there.
      const own = {
        ...('email' in Object(sample.body) && { email: `${randomUUID()}@example.org` }),
        ...('account' in Object(sample.body) && { account: randomUUID() }),
        ...('destination_id' in Object(sample.body) && { destination_id: destination.data[0].id }),
      };
      const request =
        Object.keys(own).length === 0 ? sample : { ...sample, body: { ...Object(sample.body), ...own } };
      const key = route.access === 'public' ? {} : { key: adminKey };
      return { ...request, ...key, ...change, headers: { ...request.headers, ...change.headers } };
    },
    sendAndCheck,
    expectError: async (route: RouteShape, code: ErrorCode, request: Request, path?: string) => {
      const answer = await sendAndCheck(route, request, path);
      expect(answer.body).toMatchObject({ status: problemTypes[code].status, error_code: code });
      return answer;
    },
    stop: instance.stop,
  };
};

export type RouteWorld = Awaited<ReturnType<typeof startRouteWorld>>;
