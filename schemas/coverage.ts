import * as z from 'zod';
import { ConnectorStatus, DiscoverySource } from './ingestion/cloudEvent.ts';
import { PathwayCategory } from './ingestion/invocationEvent.ts';
import { label } from './values.ts';

/** Days in which a capture layer is remembered, and its rhythm is learnt. */
export const HEARTBEAT_RETENTION_DAYS = 35;
/** Days after which a discovery signal that was not repeated is forgotten. */
export const DISCOVERY_RETENTION_DAYS = 30;

export const CoverageState = z.enum(['active', 'degraded', 'lost', 'discovery_only', 'not_seen']).meta({
  description:
    'active: calls are captured as expected; degraded: silent for longer than its own rhythm allows, or an expected layer is missing; lost: silent for three times as long; discovery_only: its use was noticed, none of its calls is captured; not_seen: expected, and never seen',
});
export type CoverageState = z.infer<typeof CoverageState>;

/** One layer that captures calls of a pathway. */
export const CaptureLayer = z
  .object({
    ingestion_layer: z.string(),
    status: z.enum(['live', 'silent', 'lost']).meta({
      description: 'silent beyond silence_allowed_seconds, lost beyond three times as much',
    }),
    first_seen: z.iso
      .datetime()
      .meta({ description: `To ten minutes; of the last ${HEARTBEAT_RETENTION_DAYS} days` }),
    last_seen: z.iso.datetime().meta({ description: 'When its newest event arrived, to ten minutes' }),
    silence_allowed_seconds: z.int().meta({
      description:
        'Half as long again as the second longest silence of the last 35 days: a silence that came once is an outage, one that came twice is a rhythm. From one hour to ten days; at least three days until it has been known for two weeks',
    }),
    source_systems: z.array(z.object({ source_system: z.string().nullable(), last_seen: z.iso.datetime() })),
  })
  .meta({ id: 'CaptureLayer' });
export type CaptureLayer = z.infer<typeof CaptureLayer>;

/** Use that was noticed from outside. */
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
      description: 'When the state began; null for a caller bound to a lane, whose states are not kept',
    }),
    layers: z.array(CaptureLayer),
    expected: z.array(z.string()).meta({ description: 'Layers the tenant expects; empty: any will do' }),
    missing: z.array(z.string()).meta({ description: 'Expected layers that are not live' }),
    discovered: z.array(Discovered).meta({
      description: 'Noticed by CASB, DNS, firewall or admin API; never counted as calls of anybody',
    }),
  })
  .meta({ id: 'PathwayCoverage' });
export type PathwayCoverage = z.infer<typeof PathwayCoverage>;

export const CoverageMap = z
  .object({
    as_of: z.iso.datetime(),
    pathways: z.array(PathwayCoverage).meta({ description: 'Those about which anything is known' }),
    connectors: z.array(
      z.object({
        connector: z.string(),
        status: ConnectorStatus,
        reported_at: z.iso.datetime().meta({ description: 'By its own newest connector.health' }),
      }),
    ),
  })
  .meta({ id: 'CoverageMap' });
export type CoverageMap = z.infer<typeof CoverageMap>;

const LAYERS_MAXIMUM = 20;

const hasNoRepeats = (names: readonly string[]): boolean => new Set(names).size === names.length;

const Expectation = z.strictObject({
  pathway_category: PathwayCategory,
  layers: z
    .array(label(64))
    .min(1)
    .max(LAYERS_MAXIMUM)
    .refine(hasNoRepeats, 'must name each layer once')
    .meta({ description: 'As events name them in ingestion_layer', example: ['gateway'] }),
});

export const CoverageExpectations = z
  .strictObject({
    expectations: z
      .array(Expectation)
      .refine(
        (all) => hasNoRepeats(all.map(({ pathway_category }) => pathway_category)),
        'must name each pathway once',
      )
      .meta({ description: 'Pathways left out are expected nothing of' }),
  })
  .meta({
    id: 'CoverageExpectations',
    example: { expectations: [{ pathway_category: 'gateway_mediated', layers: ['gateway'] }] },
  });
export type CoverageExpectations = z.infer<typeof CoverageExpectations>;
