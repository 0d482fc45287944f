import * as z from 'zod';
import { label, Timestamp } from '../values.ts';
import { PathwayCategory } from './invocationEvent.ts';

/** Systems that detect the use of inference without access to single calls. */
export const DiscoverySource = z.enum(['casb', 'dns', 'firewall', 'admin_api']);
export type DiscoverySource = z.infer<typeof DiscoverySource>;

/** Use of a provider that such a system detected: that it happened and when, without single calls. */
export const DiscoverySignal = z
  .object({
    source: DiscoverySource,
    provider: label(64).meta({ example: 'openai' }),
    pathway_category: PathwayCategory,
    first_seen: Timestamp,
    last_seen: Timestamp,
  })
  .refine(({ first_seen, last_seen }) => Date.parse(first_seen) <= Date.parse(last_seen), {
    path: ['last_seen'],
    error: 'must not be earlier than first_seen',
  })
  .meta({ id: 'DiscoverySignal' });
export type DiscoverySignal = z.infer<typeof DiscoverySignal>;

export const ConnectorStatus = z.enum(['healthy', 'degraded', 'failed']);

/** Health that a connector reports. */
export const ConnectorHealth = z
  .object({ connector: label(128).meta({ example: 'litellm-eu' }), status: ConnectorStatus })
  .meta({ id: 'ConnectorHealth' });
export type ConnectorHealth = z.infer<typeof ConnectorHealth>;

/** Required attributes of CloudEvents 1.0, and the optional attributes that are stored. */
const attributes = {
  specversion: z.literal('1.0'),
  id: label(256).meta({
    description:
      'source and id identify the event of a credential. A second event with the same pair has no effect',
  }),
  source: label(256).meta({ description: 'URI reference of the sender', example: '/casb/emea' }),
  time: Timestamp.optional(),
  subject: label(256).optional(),
};

export const DiscoveryEvent = z.object({
  ...attributes,
  type: z.literal('discovery.signal'),
  data: DiscoverySignal,
});
export const ConnectorEvent = z.object({
  ...attributes,
  type: z.literal('connector.health'),
  data: ConnectorHealth,
});
export const OtherEvent = z.object({
  ...attributes,
  type: label(256).meta({ example: 'com.example.gateway.reloaded' }),
  data: z.unknown().optional(),
});

/**
 * One CloudEvent in the JSON event format
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md). Extension attributes and
 * `data_base64` are dropped.
 */
export const CloudEvent = z.union([DiscoveryEvent, ConnectorEvent, OtherEvent]).meta({
  id: 'CloudEvent',
  description: 'CloudEvents 1.0, JSON event format',
  example: {
    specversion: '1.0',
    id: 'firewall-emea-42',
    source: '/firewall/emea',
    type: 'discovery.signal',
    data: {
      source: 'firewall',
      provider: 'openai',
      pathway_category: 'embedded_saas',
      first_seen: '2026-03-01T08:00:00.000Z',
      last_seen: '2026-03-01T09:30:00.000Z',
    },
  },
});
