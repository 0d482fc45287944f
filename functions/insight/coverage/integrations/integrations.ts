import { type Integration, IntegrationName } from '../../../../schemas/insight/coverage.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Capture, Observation } from '../heartbeat.store.ts';
import { activityOf } from '../layers.ts';
import { setupOf } from './setup.ts';

/** Integrations by call logs. Their events have the name of the integration as source system. */
const CALL_LOGS = [
  'litellm',
  'bedrock',
  'vertex_ai',
  'azure_api_management',
] as const satisfies IntegrationName[];

/** The integration that sends events with these labels. Labels that no other integration sets are of the events API. */
const integrationOf = ({ ingestion_layer, source_system, pathway_category }: Capture): IntegrationName => {
  if (ingestion_layer === 'otlp')
    return pathway_category === 'agent_workflow' ? 'coding_agents' : 'opentelemetry';
  return CALL_LOGS.find((name) => name === source_system) ?? 'events_api';
};

const newest = ({ slots }: Observation): number => slots.at(-1) ?? 0;

const systemsOf = (observations: readonly Observation[]): string[] => [
  ...new Set(
    observations
      .toSorted((one, other) => newest(other) - newest(one))
      .flatMap(({ capture }) => capture.source_system ?? []),
  ),
];

/**
 * Every integration with its health and how to enable it, at `now` (epoch milliseconds). An integration has one silence
 * threshold over all its sources. `baseUrl` is the endpoint in the snippets.
 */
export const integrationsOf = (
  observations: readonly Observation[],
  now: number,
  baseUrl: string,
): Integration[] => {
  const byIntegration = Map.groupBy(observations, ({ capture }) => integrationOf(capture));
  return IntegrationName.options.map((integration) => {
    const own = byIntegration.get(integration) ?? [];
    const setup = setupOf(integration, baseUrl);
    if (own.length === 0)
      return { integration, status: 'not_seen', last_seen: null, source_systems: [], setup };
    const { status, last } = activityOf(own, now);
    return { integration, status, last_seen: toIso(last), source_systems: systemsOf(own), setup };
  });
};
