import { type CoverageMap, DISCOVERED_DAYS, type PathwayCoverage } from '../../schemas/coverage.ts';
import { getCoverage } from '../../schemas/routes/coverage.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { orUnavailable } from '../shared/problem.ts';
import { assess } from './assess.ts';
import { knowledgeOf, settleCoverage } from './watch.ts';

const DAY = 24 * 60 * 60 * 1_000;

export default operation(getCoverage, async ({ caller, receivedAt, stores }) => {
  const { tenant, residency } = caller;
  const isVisible = (of: { readonly residency: string | null }) =>
    residency === null || of.residency === residency;

  /** What a lane knows by itself. */
  const ofLane = async (): Promise<PathwayCoverage[]> => {
    const { seen, found, expectations } = await knowledgeOf(stores, tenant, receivedAt);
    const knowledge = {
      seen: seen.filter(({ capture }) => isVisible(capture)),
      found: found.filter(isVisible),
      expectations,
      states: new Map(),
    };
    return assess(knowledge, receivedAt).map(({ coverage }) => ({ ...coverage, since: null }));
  };

  return orUnavailable(async () => {
    const [pathways, connectors] = await Promise.all([
      residency === null ? settleCoverage(stores, tenant, receivedAt) : ofLane(),
      stores.coverage.connectors(tenant.tenant_id, receivedAt - DISCOVERED_DAYS * DAY),
    ]);
    const map: CoverageMap = {
      as_of: new Date(receivedAt).toISOString(),
      pathways,
      connectors: connectors
        .filter(isVisible)
        .sort((one, other) => (one.connector < other.connector ? -1 : 1))
        .map(({ connector, status, at }) => ({ connector, status, reported_at: new Date(at).toISOString() })),
    };
    return reply(200, map);
  });
});
