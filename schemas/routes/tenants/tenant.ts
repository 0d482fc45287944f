import * as z from 'zod';
import { AllocationPolicy } from '../../attribution/allocation.ts';
import { Interpretation } from '../../attribution/attributionRecord.ts';
import { Channels, ChannelsChange } from '../../delivery/notifications.ts';
import { plans } from '../../platform/limits.ts';
import { TAG_KEYS_MAXIMUM, TagKey } from '../../tenants/costAllocationTags.ts';
import { TimeZone } from '../../tenants/timeZone.ts';
import { distinct, label, PositiveDecimal } from '../../values.ts';
import { route } from '../route.ts';

const SETTINGS_BYTES_MAXIMUM = 64 * 1_024;
const LANES_MAXIMUM = 20;
const KEY_LIFETIME_DAYS_MAXIMUM = 3_650;

const settings = {
  residency: distinct(z.array(label(64)).max(LANES_MAXIMUM), 'must name each lane once').meta({
    id: 'ResidencyLanes',
    description:
      'Data-residency lanes. The first one is the home lane: it holds data sent by credentials without a lane. A record never changes its lane',
  }),
  key_lifetime_days: z
    .int()
    .min(1)
    .max(KEY_LIFETIME_DAYS_MAXIMUM)
    .meta({ description: 'Maximum lifetime of a new API key in days' }),
  stage_b: z.enum(['enabled', 'disabled']).meta({
    id: 'StageB',
    description:
      'Whether trained models attribute calls that the rules cannot resolve. If disabled, these records stay unresolved with degradation_state disabled. Existing records do not change',
  }),
  cost_allocation_tags: distinct(z.array(TagKey).max(TAG_KEYS_MAXIMUM), 'must name each key once').meta({
    id: 'TagKeys',
    description:
      'Keys of tags by which the reports can group, such as env for tags like env:prod. A change applies to calls from the next UTC day on. Reports show the values to every caller with read:reporting, so choose no key that names persons',
    example: ['env', 'cost_center'],
  }),
  time_zone: TimeZone.meta({
    description:
      'IANA time zone of days and months in reports and budgets. Default: UTC. A change applies at once, also to earlier calls',
  }),
  largest_reported_cost_usd: PositiveDecimal.nullable().meta({
    description:
      'A higher cost of one call is set aside until it is confirmed. Null: only what the usage cannot explain',
  }),
  allocation: AllocationPolicy.meta({
    description:
      'How cost without an owner is allocated after each UTC day: proportional to attributed spend (default), evenly, by fixed shares, or not at all. Allocated cost is never part of a chargeback',
  }),
};

export const TenantSettings = z
  .object({
    tenant_id: z.string(),
    name: z.string(),
    plan: z.enum(plans).meta({ description: 'Only the operator can change it' }),
    ...settings,
    cost_allocation_tags_from: z.iso.date().nullable().meta({
      description: 'First UTC day on whose calls `cost_allocation_tags` apply. Null: they apply to all calls',
    }),
    notifications: Channels.meta({ description: 'Channels for notifications' }),
    sandbox: z.boolean().meta({ description: 'Whether the tenant holds synthetic data and can be reset' }),
    degradation_state: Interpretation.shape.degradation_state.meta({
      description: 'Current state of the prediction service',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'TenantSettings' });
export type TenantSettings = z.infer<typeof TenantSettings>;

const TenantChange = z
  .strictObject({ ...settings, notifications: ChannelsChange })
  .partial()
  .meta({
    id: 'TenantChange',
    description: 'Omitted members do not change',
    example: { stage_b: 'disabled' },
  });
export type TenantChange = z.infer<typeof TenantChange>;

export const getTenant = route({
  method: 'GET',
  path: '/api/v1/tenant',
  operation: 'getTenant',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'settings',
  summary: "Read the tenant's settings",
  description: 'Settings that the tenant can change, and those that its plan fixes.',
  access: 'admin:config',
  alternative: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['tenants.read', 'models.read'],
  replies: { 200: { description: 'The current settings', body: TenantSettings } },
});

export const updateTenant = route({
  method: 'PATCH',
  path: '/api/v1/tenant',
  operation: 'updateTenant',
  authority: { effect: 'settings', reveals: [], lanes: 'all' },
  unit: 'settings',
  summary: "Change the tenant's settings",
  description:
    'Changes hold for new events within seconds. Switching stage B emits degradation.state.changed. The settings apply to every residency lane: a credential bound to one gets RESIDENCY_BLOCKED. Channels receive every kind of notification: whoever sets one also needs read:attribution, read:reporting, export:create and webhooks:manage (INSUFFICIENT_SCOPE) and authorizes the channels. They send nothing more once that credential ends or loses one of these scopes. Send them again to authorize them anew. Removing a channel needs no further scope. E-mail addresses are rejected if the service sends no mail.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['tenants.write', 'models.read', 'outbox.append', 'endpoint.derive'],
  body: { kind: 'json', schema: TenantChange, maxBytes: SETTINGS_BYTES_MAXIMUM },
  audit: 'tenant.settings',
  refuses: ['WEBHOOK_URL_REJECTED'],
  replies: { 200: { description: 'The changed settings', body: TenantSettings } },
});
