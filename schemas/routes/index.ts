import * as attribution from './attribution/attribution.ts';
import * as corrections from './attribution/corrections.ts';
import * as identity from './attribution/mappings.ts';
import * as models from './attribution/models.ts';
import { reprocessRecords } from './attribution/reprocessing.ts';
import { billSourceRoutes } from './chargeback/billSources.ts';
import { deleteBill, listBills, postBills } from './chargeback/bills.ts';
import * as contractPrices from './chargeback/contractPrices.ts';
import { exportDestinationRoutes } from './chargeback/exportDestinations.ts';
import { exportRoutes } from './chargeback/exports.ts';
import * as nodePools from './chargeback/nodePools.ts';
import * as periods from './chargeback/periods.ts';
import * as reconciliation from './chargeback/reconciliation.ts';
import { notificationRoutes } from './delivery/notifications.ts';
import * as webhookDeliveries from './delivery/webhookDeliveries.ts';
import * as webhookEvents from './delivery/webhookEvents.ts';
import * as webhooks from './delivery/webhooks.ts';
import * as access from './identity/access.ts';
import * as apiKeys from './identity/apiKeys.ts';
import * as audit from './identity/audit.ts';
import * as oauthClients from './identity/oauthClients.ts';
import * as session from './identity/session.ts';
import * as signIn from './identity/signIn.ts';
import * as users from './identity/users.ts';
import * as callLogs from './ingest/callLogs.ts';
import * as ingestion from './ingest/events.ts';
import * as otlp from './ingest/otlp.ts';
import { annotationRoutes } from './insight/annotations.ts';
import { anomalyRoutes } from './insight/anomalies.ts';
import * as budgets from './insight/budgets.ts';
import { businessMetricRoutes } from './insight/businessMetrics.ts';
import { getChangesReport } from './insight/changes.ts';
import * as coverage from './insight/coverage.ts';
import * as lookup from './insight/lookup.ts';
import { getMetricCosts } from './insight/metricCosts.ts';
import { getNodeHours } from './insight/nodeHours.ts';
import { partnerRoutes } from './insight/partner.ts';
import * as reports from './insight/reports.ts';
import { savedViewRoutes } from './insight/savedViews.ts';
import { savingDismissalRoutes } from './insight/savingDismissals.ts';
import { getSavingsReport } from './insight/savings.ts';
import * as signals from './insight/signals.ts';
import { getUnitCostsReport } from './insight/unitCosts.ts';
import * as unowned from './insight/unowned.ts';
import * as webConsole from './platform/console.ts';
import * as contract from './platform/contract.ts';
import * as reference from './platform/reference.ts';
import { needsOf, type RouteShape, type UnitName } from './route.ts';
import type { RouteGroup } from './routeGroup.ts';
import * as diagnostics from './tenants/diagnostics.ts';
import * as jobs from './tenants/jobs.ts';
import * as limits from './tenants/limits.ts';
import * as sandbox from './tenants/sandbox.ts';
import * as tenant from './tenants/tenant.ts';

/**
 * Every route of the service, in the order of the documentation. The groups have the names of the shelves of `functions/`.
 */
export const routeGroups: readonly RouteGroup[] = [
  {
    name: 'Ingest',
    description: 'Send inference events: by HTTP, OTLP and call logs',
    routes: [
      ingestion.postInvocation,
      ingestion.postInvocationBatch,
      otlp.postTraces,
      otlp.postLogs,
      otlp.postMetrics,
      callLogs.postCallLogs,
    ],
  },
  {
    name: 'Attribution',
    description:
      'Read who made which calls, with the evidence; map identities, correct records, train models',
    routes: [
      attribution.listAttribution,
      attribution.getAttribution,
      attribution.listAttributionVersions,
      corrections.overrideAttribution,
      corrections.disputeAttribution,
      corrections.confirmCost,
      corrections.listDisputes,
      identity.createIdentityMapping,
      identity.listIdentityMappings,
      identity.getIdentityMapping,
      identity.updateIdentityMapping,
      identity.deleteIdentityMapping,
      identity.dryRunIdentityMapping,
      reprocessRecords,
      models.listModels,
      models.trainModel,
      models.recallModel,
    ],
  },
  {
    name: 'Insight',
    description: 'Totals, budgets, anomalies, lookups before a call, and how complete the capture is',
    routes: [
      reports.getUsageReport,
      reports.getAdoptionReport,
      reports.getForecastReport,
      getChangesReport,
      getUnitCostsReport,
      getSavingsReport,
      ...savingDismissalRoutes,
      ...annotationRoutes,
      ...savedViewRoutes,
      getMetricCosts,
      ...businessMetricRoutes,
      getNodeHours,
      unowned.getUnownedReport,
      lookup.lookUpAttribution,
      budgets.createBudget,
      budgets.listBudgets,
      budgets.getBudget,
      budgets.listBudgetPeriods,
      budgets.updateBudget,
      budgets.deleteBudget,
      ...anomalyRoutes,
      coverage.getCoverage,
      coverage.getCoverageExpectations,
      coverage.putCoverageExpectations,
      signals.postEvents,
      ...partnerRoutes,
    ],
  },
  {
    name: 'Chargeback',
    description:
      'FOCUS files for chargeback and showback, contract prices, own nodes, and the comparison with bills of providers',
    routes: [
      ...exportRoutes,
      ...exportDestinationRoutes,
      contractPrices.getContractPrices,
      contractPrices.putContractPrices,
      nodePools.getNodePools,
      nodePools.putNodePools,
      reconciliation.getReconciliation,
      postBills,
      listBills,
      deleteBill,
      ...billSourceRoutes,
      periods.listPeriods,
      periods.closePeriod,
      periods.reopenPeriod,
    ],
  },
  {
    name: 'Delivery',
    description: 'What the service sends by itself: webhooks, notifications and reports',
    routes: [
      webhooks.createWebhook,
      webhooks.listWebhooks,
      webhooks.getWebhook,
      webhooks.updateWebhook,
      webhooks.deleteWebhook,
      webhooks.verifyWebhook,
      webhooks.rotateWebhookSecret,
      webhookDeliveries.testWebhook,
      webhookDeliveries.replayToWebhook,
      webhookDeliveries.listWebhookDeliveries,
      webhookEvents.listWebhookEvents,
      ...notificationRoutes,
    ],
  },
  {
    name: 'Tenants',
    description: 'Settings, limits, diagnostics, jobs and the sandbox of a tenant',
    routes: [
      tenant.getTenant,
      tenant.updateTenant,
      limits.getRateLimit,
      diagnostics.getDiagnostics,
      jobs.listJobs,
      jobs.getJob,
      sandbox.getSandbox,
      sandbox.resetSandbox,
      sandbox.updateSandbox,
    ],
  },
  {
    name: 'Identity',
    description:
      'Users, API keys and OAuth clients, access tokens and sign-in (OAuth 2.0), and the audit log',
    routes: [
      users.getCaller,
      users.createUser,
      users.listUsers,
      users.getUser,
      users.updateUser,
      users.removeUser,
      apiKeys.createApiKey,
      apiKeys.listApiKeys,
      apiKeys.getApiKey,
      apiKeys.rotateApiKey,
      apiKeys.revokeApiKey,
      oauthClients.createOAuthClient,
      oauthClients.listOAuthClients,
      oauthClients.getOAuthClient,
      oauthClients.rotateOAuthClient,
      oauthClients.deleteOAuthClient,
      access.getDiscovery,
      access.getJwks,
      signIn.authorize,
      signIn.finishSignIn,
      access.issueToken,
      access.revokeToken,
      audit.listAuditLog,
    ],
  },
  {
    name: 'Platform',
    description: 'Health, this contract, its reference and the error catalogue',
    routes: [
      contract.getHealth,
      contract.getReadiness,
      contract.getOpenapi,
      contract.getPostman,
      reference.getReference,
      reference.getReferenceAsset,
      reference.getChangelog,
      contract.listErrors,
      contract.getErrorPage,
      contract.getNotificationPage,
    ],
  },
];

/** Every route of the API. */
export const routes: readonly RouteShape[] = routeGroups.flatMap((group) => group.routes);

/**
 * The routes of the web console. They are not part of the API contract, because the console and its routes are deployed
 * together and change together.
 */
export const consoleRoutes: readonly RouteShape[] = [
  webConsole.getConsoleStart,
  webConsole.getConsoleFile,
  session.beginSession,
  session.getSession,
  session.chooseTenant,
  session.endSession,
];

export const routesOf = (unit: UnitName): RouteShape[] =>
  [...routes, ...consoleRoutes].filter((route) => route.unit === unit);

/** All needs of a unit's routes, sorted and without duplicates. They define the IAM role of the unit. */
export const needsOfUnit = (unit: UnitName) => [...new Set(routesOf(unit).flatMap(needsOf))].sort();
