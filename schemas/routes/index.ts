import * as access from './access.ts';
import * as anomalies from './anomalies.ts';
import * as apiKeys from './apiKeys.ts';
import * as attribution from './attribution.ts';
import * as audit from './audit.ts';
import * as budgets from './budgets.ts';
import * as contract from './contract.ts';
import * as corrections from './corrections.ts';
import * as coverage from './coverage.ts';
import * as diagnostics from './diagnostics.ts';
import * as exports from './exports.ts';
import * as identity from './identity.ts';
import * as ingestion from './ingestion.ts';
import * as limits from './limits.ts';
import * as models from './models.ts';
import * as notifications from './notifications.ts';
import * as oauthClients from './oauthClients.ts';
import * as reconciliation from './reconciliation.ts';
import * as reports from './reports.ts';
import { needsOf, type RouteShape, type UnitName } from './route.ts';
import * as signals from './signals.ts';
import * as signIn from './signIn.ts';
import * as tenant from './tenant.ts';
import * as webhookDeliveries from './webhookDeliveries.ts';
import * as webhooks from './webhooks.ts';

/** Every route of the service. */
export const routes: readonly RouteShape[] = [
  contract.getHealth,
  contract.getReadiness,
  contract.getOpenapi,
  contract.listErrors,
  contract.getErrorPage,
  contract.getNotificationPage,
  access.getDiscovery,
  access.getJwks,
  signIn.authorize,
  signIn.finishSignIn,
  access.issueToken,
  access.revokeToken,
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
  audit.listAuditLog,
  limits.getRateLimit,
  ingestion.postInvocation,
  ingestion.postInvocationBatch,
  attribution.listAttribution,
  attribution.getAttribution,
  corrections.overrideAttribution,
  corrections.disputeAttribution,
  reports.getUsageReport,
  reports.getAdoptionReport,
  tenant.getTenant,
  tenant.updateTenant,
  models.listModels,
  models.trainModel,
  models.recallModel,
  identity.createIdentityMapping,
  identity.listIdentityMappings,
  identity.getIdentityMapping,
  identity.updateIdentityMapping,
  identity.deleteIdentityMapping,
  identity.dryRunIdentityMapping,
  budgets.createBudget,
  budgets.listBudgets,
  budgets.getBudget,
  budgets.updateBudget,
  budgets.deleteBudget,
  anomalies.listAnomalies,
  notifications.listNotifications,
  coverage.getCoverage,
  coverage.putCoverageExpectations,
  signals.postEvents,
  reconciliation.getReconciliation,
  reconciliation.postBills,
  diagnostics.getDiagnostics,
  exports.createFocusExport,
  exports.listExports,
  exports.listJobs,
  exports.getJob,
  exports.cancelJob,
  exports.createExportSchedule,
  exports.listExportSchedules,
  exports.deleteExportSchedule,
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
];

export const routesOf = (unit: UnitName): RouteShape[] => routes.filter((route) => route.unit === unit);

/** All needs of a unit's routes, sorted and without duplicates. They define the IAM role of the unit. */
export const needsOfUnit = (unit: UnitName) => [...new Set(routesOf(unit).flatMap(needsOf))].sort();
