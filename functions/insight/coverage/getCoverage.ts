import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import {
  type CoverageMap,
  DISCOVERY_RETENTION_DAYS,
  type PathwayCoverage,
} from '../../../schemas/insight/coverage.ts';
import { getCoverage } from '../../../schemas/routes/insight/coverage.ts';
import { unreadUsageOf } from '../../ingest/otlp/counterSums.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { settings } from '../../platform/shared/settings.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { assessPathways } from './assessPathways.ts';
import { type CoverageData, evaluateCoverage, readCoverage } from './evaluateCoverage.ts';
import { integrationsOf } from './integrations/integrations.ts';

/** The coverage from the data of the caller's lane alone. Lanes have no stored states. */
const assessLane = (data: CoverageData, now: number): PathwayCoverage[] =>
  assessPathways({ ...data, states: new Map() }, now).map(({ coverage }) => ({ ...coverage, since: null }));

export default operation(getCoverage, async ({ caller, receivedAt, stores }) => {
  const { tenant, residency } = caller;
  const isVisible = (of: { readonly residency: string | null }) => isInLane(of.residency, residency);

  const [{ observations, discoveries, expectations }, connectors, unread] = await Promise.all([
    readCoverage(stores, tenant, receivedAt),
    stores.coverage.connectors(tenant.tenant_id, receivedAt - DISCOVERY_RETENTION_DAYS * DAY_MS),
    residency === null
      ? stores.counters.between(tenant.tenant_id, receivedAt - DAY_MS + HOUR_MS, receivedAt)
      : new Map<string, number>(),
  ]);
  const visible: CoverageData = {
    observations: observations.filter(({ capture }) => isVisible(capture)),
    discoveries: discoveries.filter(isVisible),
    expectations,
  };
  const map: CoverageMap = {
    as_of: toIso(receivedAt),
    pathways:
      residency === null
        ? await evaluateCoverage(stores, tenant, visible, receivedAt)
        : assessLane(visible, receivedAt),
    connectors: connectors
      .filter(isVisible)
      .sort((one, other) => (one.connector < other.connector ? -1 : 1))
      .map(({ connector, status, at }) => ({ connector, status, reported_at: toIso(at) })),
    unread_usage: unreadUsageOf(unread),
    integrations: integrationsOf(visible.observations, receivedAt, settings.BASE_URL),
  };
  return reply(200, map);
});
