import { DAY_MS } from '../../../../schemas/durations.ts';
import { HEARTBEAT_RETENTION_DAYS } from '../../../../schemas/insight/coverage.ts';
import { getPartnerCoverage, type PartnerCoverage } from '../../../../schemas/routes/insight/partner.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { homeLane } from '../../../platform/tenancy/tenant.ts';
import type { Observation } from '../heartbeat.store.ts';
import { activityOf } from '../layers.ts';
import { connectorOf } from './connector.ts';

const describeSystem = (
  source_system: string,
  observations: readonly Observation[],
  now: number,
): PartnerCoverage['source_systems'][number] => {
  if (observations.length === 0)
    return { source_system, status: 'not_seen', last_seen: null, ingestion_layers: [] };
  const { status, last } = activityOf(observations, now);
  const layers = new Set(observations.map(({ capture }) => capture.ingestion_layer));
  return { source_system, status, last_seen: toIso(last), ingestion_layers: [...layers].toSorted() };
};

export default operation(getPartnerCoverage, async ({ caller, receivedAt, stores }) => {
  const { tenant, residency } = caller;
  const { sourceSystems } = connectorOf(caller);
  const lane = residency ?? homeLane(tenant);
  const since = receivedAt - HEARTBEAT_RETENTION_DAYS * DAY_MS;
  const seen = (await stores.connectors.observations(tenant.tenant_id, since)).filter(
    ({ capture }) => capture.residency === lane,
  );
  const bySystem = Map.groupBy(seen, ({ capture }) => capture.source_system);
  const systems = sourceSystems ?? [...bySystem.keys()].flatMap((name) => name ?? []);
  return reply(200, {
    as_of: toIso(receivedAt),
    source_systems: systems.map((name) => describeSystem(name, bySystem.get(name) ?? [], receivedAt)),
  });
});
