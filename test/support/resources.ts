import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIdentityMapping } from '../../schemas/routes/attribution/mappings.ts';
import { createExportDestination } from '../../schemas/routes/chargeback/exportDestinations.ts';
import { createExportSchedule } from '../../schemas/routes/chargeback/exports.ts';
import { createReportSubscription } from '../../schemas/routes/delivery/reportSubscriptions.ts';
import { createAnnotation } from '../../schemas/routes/insight/annotations.ts';
import { createBudget } from '../../schemas/routes/insight/budgets.ts';
import { postBusinessMetric } from '../../schemas/routes/insight/businessMetrics.ts';
import { createSavedView } from '../../schemas/routes/insight/savedViews.ts';
import { dismissSaving } from '../../schemas/routes/insight/savingDismissals.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { goodRequest } from '../platform/apiDocs/contract/requests.ts';
import { call } from './client.ts';

const ROUTES: readonly RouteShape[] = [
  createIdentityMapping,
  createBudget,
  postBusinessMetric,
  dismissSaving,
  createAnnotation,
  createSavedView,
  createReportSubscription,
  createExportDestination,
  createExportSchedule,
];
/** Of requests that no OAuth client sends. */
const NO_CLIENT = { client_id: '', client_secret: '' };

/** Creates a resource of each kind that any tenant can have. A sandbox has no bill sources, and a webhook needs a receiver. */
export const createResources = async (baseUrl: string, key: string): Promise<void> => {
  for (const route of ROUTES) {
    const { status, text } = await call(baseUrl, route.path, { ...goodRequest(route, NO_CLIENT), key });
    if (status >= 300) throw new Error(`${route.operation}: ${text}`);
  }
};

/** The first part of the keys of each kind of resource, as their stores declare it. */
export const resourcePrefixes = (): readonly string[] => {
  const functions = join(import.meta.dirname, '../../functions');
  return globSync('**/*.store.ts', { cwd: functions }).flatMap((path) => {
    const source = readFileSync(join(functions, path), 'utf8');
    return [...source.matchAll(/countedCollection\([^;]*?prefix: '(\w+)'/g)].map(([, prefix = '']) => prefix);
  });
};
