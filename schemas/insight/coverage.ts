import * as z from 'zod';
import { ConnectorStatus, DiscoverySource } from '../ingest/cloudEvent.ts';
import { PathwayCategory } from '../ingest/invocationEvent.ts';
import { UnreadUsage } from '../tenants/diagnostics.ts';
import { distinct, label } from '../values.ts';

/** Days of observations kept for a capture layer. Its silence threshold is computed from them. */
export const HEARTBEAT_RETENTION_DAYS = 35;
/** Days after its last signal until a discovery expires. */
export const DISCOVERY_RETENTION_DAYS = 30;

export const CoverageState = z.enum(['active', 'degraded', 'lost', 'discovery_only', 'not_seen']).meta({
  id: 'CoverageState',
  description:
    'active: calls are captured as expected. degraded: no layer is live, or an expected layer is missing. lost: every layer has been silent for more than three times its threshold. discovery_only: use was discovered, but no call is captured. not_seen: expected, but never observed',
});
export type CoverageState = z.infer<typeof CoverageState>;

const CaptureStatus = z.enum(['live', 'silent', 'lost']);

/** One layer that captures calls of a pathway. */
export const CaptureLayer = z
  .object({
    ingestion_layer: z.string(),
    status: CaptureStatus.meta({
      description: 'silent: for longer than silence_allowed_seconds. lost: for longer than three times that',
    }),
    first_seen: z.iso
      .datetime()
      .meta({ description: `First activity in the last ${HEARTBEAT_RETENTION_DAYS} days, to ten minutes` }),
    last_seen: z.iso.datetime().meta({ description: 'Arrival of the newest event, to ten minutes' }),
    silence_allowed_seconds: z.int().meta({
      description:
        'The silence threshold of the layer: 1.5 times its second longest silence in the last 35 days. The longest silence may have been an outage. From one hour to ten days, and at least three days during the first two weeks of a layer',
    }),
    source_systems: z.array(z.object({ source_system: z.string().nullable(), last_seen: z.iso.datetime() })),
  })
  .meta({ id: 'CaptureLayer' });
export type CaptureLayer = z.infer<typeof CaptureLayer>;

/** Use of a provider that a discovery source reported. */
export const Discovered = z
  .object({
    source: DiscoverySource,
    provider: z.string(),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime(),
  })
  .meta({ id: 'Discovered' });
export type Discovered = z.infer<typeof Discovered>;

export const PathwayCoverage = z
  .object({
    pathway_category: PathwayCategory,
    state: CoverageState,
    since: z.iso.datetime().nullable().meta({
      description:
        'Start of the state. Null for a credential bound to a lane, because states are stored per tenant',
    }),
    layers: z.array(CaptureLayer),
    expected: z
      .array(z.string())
      .meta({ description: 'Layers that the tenant expects. Empty: any layer is enough' }),
    missing: z.array(z.string()).meta({ description: 'Expected layers that are not live' }),
    discovered: z.array(Discovered).meta({
      description: 'Use reported by CASB, DNS, firewall or admin API. It is never counted as calls',
    }),
  })
  .meta({ id: 'PathwayCoverage' });
export type PathwayCoverage = z.infer<typeof PathwayCoverage>;

/** A way to send calls to the service. */
export const IntegrationName = z.enum([
  'events_api',
  'opentelemetry',
  'coding_agents',
  'litellm',
  'bedrock',
  'vertex_ai',
  'azure_api_management',
]);
export type IntegrationName = z.infer<typeof IntegrationName>;

export const Integration = z
  .object({
    integration: IntegrationName.meta({
      description:
        'events_api: events of a client library, of your own code, or CloudEvents. coding_agents: Claude Code, Codex and Gemini CLI. An event counts for the integration that its ingestion_layer, source_system and pathway name',
    }),
    status: z.enum([...CaptureStatus.options, 'not_seen']).meta({
      description: `By the silence threshold of the integration, as for a layer. not_seen: no event in the last ${HEARTBEAT_RETENTION_DAYS} days`,
    }),
    last_seen: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Arrival of the newest event, to ten minutes' }),
    source_systems: z
      .array(z.string())
      .meta({ description: 'Source systems of its events, the newest first' }),
    setup: z
      .object({
        instruction: z.string(),
        language: z.enum(['sh', 'yaml']),
        snippet: z.string().meta({
          description:
            'It names the endpoint of this service. Replace YOUR_INGEST_KEY by a key with ingest:write',
        }),
      })
      .meta({ description: 'How to enable the integration' }),
  })
  .meta({ id: 'Integration' });
export type Integration = z.infer<typeof Integration>;

export const CoverageMap = z
  .object({
    as_of: z.iso.datetime(),
    pathways: z
      .array(PathwayCoverage)
      .meta({ description: 'Pathways with observations, discoveries or expectations' }),
    connectors: z.array(
      z.object({
        connector: z.string(),
        status: ConnectorStatus,
        reported_at: z.iso
          .datetime()
          .meta({ description: 'Time of the newest connector.health event of the connector' }),
      }),
    ),
    unread_usage: z.array(UnreadUsage).meta({
      description:
        'What sent token counts in the last 24 hours that made no record, by instrumentation scope. Empty for a credential bound to a lane',
    }),
    integrations: z
      .array(Integration)
      .meta({ description: 'All integrations, also those that are not used' }),
  })
  .meta({ id: 'CoverageMap' });
export type CoverageMap = z.infer<typeof CoverageMap>;

const LAYERS_MAXIMUM = 20;

const Expectation = z.strictObject({
  pathway_category: PathwayCategory,
  layers: distinct(z.array(label(64)).min(1).max(LAYERS_MAXIMUM), 'must not repeat a layer').meta({
    description: 'Values of ingestion_layer in events',
    example: ['gateway'],
  }),
});

export const CoverageExpectations = z
  .strictObject({
    expectations: z
      .array(Expectation)
      .max(PathwayCategory.options.length)
      .refine(
        (all) => new Set(all.map(({ pathway_category }) => pathway_category)).size === all.length,
        'must not repeat a pathway',
      )
      .meta({ description: 'A pathway that is left out has no expected layers' }),
  })
  .meta({
    id: 'CoverageExpectations',
    example: { expectations: [{ pathway_category: 'gateway_mediated', layers: ['gateway'] }] },
  });
export type CoverageExpectations = z.infer<typeof CoverageExpectations>;

/** A change of a pathway's coverage, away from the state `active` or back to it. */
export const CoverageChange = z
  .object({
    pathway_category: PathwayCategory,
    previous: CoverageState,
    state: CoverageState,
    missing: z.array(z.string()).meta({ description: 'Expected capture layers that report no events' }),
    last_seen: z.iso.datetime().nullable().meta({
      description:
        'When the newest event arrived, rounded to ten minutes. Null when that was more than 35 days ago.',
    }),
  })
  .meta({ id: 'CoverageChange' });
