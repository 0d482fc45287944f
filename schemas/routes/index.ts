import * as access from './access.ts';
import * as attribution from './attribution.ts';
import * as contract from './contract.ts';
import * as ingestion from './ingestion.ts';
import * as limits from './limits.ts';
import { needsOf, type RouteShape, type UnitName } from './route.ts';

/** Every route of the service. */
export const routes: readonly RouteShape[] = [
  contract.getHealth,
  contract.getReadiness,
  contract.getOpenapi,
  contract.getErrorPage,
  access.getDiscovery,
  access.getJwks,
  access.issueToken,
  limits.getRateLimit,
  ingestion.postInvocation,
  ingestion.postInvocationBatch,
  attribution.listAttribution,
  attribution.getAttribution,
];

export const routesOf = (unit: UnitName): RouteShape[] => routes.filter((route) => route.unit === unit);

/** The union of what the routes of a unit need: its role, and nothing more. */
export const needsOfUnit = (unit: UnitName) => [...new Set(routesOf(unit).flatMap(needsOf))].sort();
