import { type CoverageMap, DISCOVERY_RETENTION_DAYS, type PathwayCoverage } from '../../schemas/coverage.ts';
import { getCoverage } from '../../schemas/routes/coverage/coverage.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { orUnavailable } from '../shared/problem.ts';
import { DAY_MS } from '../shared/time/durations.ts';
import { toIso } from '../shared/time/toIso.ts';
import { assessPathways } from './assessPathways.ts';
import { evaluateCoverage, readCoverageInput } from './evaluateCoverage.ts';

export default operation(getCoverage, async ({ caller, receivedAt, stores }) => {
  const { tenant, residency } = caller;
  const isVisible = (of: { readonly residency: string | null }) =>
    residency === null || of.residency === residency;

  /** The coverage from the data of the caller's lane alone. Lanes have no stored states. */
  const ofLane = async (): Promise<PathwayCoverage[]> => {
    const { observations, discoveries, expectations } = await readCoverageInput(stores, tenant, receivedAt);
    const input = {
      observations: observations.filter(({ capture }) => isVisible(capture)),
      discoveries: discoveries.filter(isVisible),
      expectations,
      states: new Map(),
    };
    return assessPathways(input, receivedAt).map(({ coverage }) => ({ ...coverage, since: null }));
  };

  return orUnavailable(async () => {
    const [pathways, connectors] = await Promise.all([
      residency === null ? evaluateCoverage(stores, tenant, receivedAt) : ofLane(),
      stores.coverage.connectors(tenant.tenant_id, receivedAt - DISCOVERY_RETENTION_DAYS * DAY_MS),
    ]);
    const map: CoverageMap = {
      as_of: toIso(receivedAt),
      pathways,
      connectors: connectors
        .filter(isVisible)
        .sort((one, other) => (one.connector < other.connector ? -1 : 1))
        .map(({ connector, status, at }) => ({ connector, status, reported_at: toIso(at) })),
    };
    return reply(200, map);
  });
});
