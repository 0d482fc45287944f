import * as z from 'zod';
import { AllocationPolicy } from '../attribution/allocation.ts';
import { Interpretation } from '../attribution/attributionRecord.ts';
import { Channels, ChannelsChange } from '../notifications.ts';
import { plans } from '../platform/limits.ts';
import { label } from '../values.ts';
import { route } from './route.ts';

const SETTINGS_BYTES_MAXIMUM = 64 * 1_024;
const LANES_MAXIMUM = 20;
const KEY_LIFETIME_DAYS_MAXIMUM = 3_650;

const settings = {
  residency: z
    .array(label(64))
    .max(LANES_MAXIMUM)
    .refine((lanes) => new Set(lanes).size === lanes.length, 'must name each lane once')
    .meta({
      description:
        'Data-residency lanes; the first is home to what is sent without a lane of its own. Records stay in the lane they came in',
    }),
  key_lifetime_days: z
    .int()
    .min(1)
    .max(KEY_LIFETIME_DAYS_MAXIMUM)
    .meta({ description: 'The longest a new API key may live' }),
  stage_b: z.enum(['enabled', 'disabled']).meta({
    description:
      'Whether trained models may place what the rules cannot. Disabled, such records stay unresolved and say degradation_state disabled; those placed before stay as they are',
  }),
  allocation: AllocationPolicy.meta({
    description:
      'How what nobody was named for is shared out once a day of UTC has ended: proportional to attributed spend (the default), even, by fixed shares, or none. Never part of a chargeback',
  }),
};

export const TenantSettings = z
  .object({
    tenant_id: z.string(),
    name: z.string(),
    plan: z.enum(plans).meta({ description: 'Changed by the operator only' }),
    ...settings,
    notifications: Channels.meta({ description: 'Where people are told of what got worse' }),
    degradation_state: Interpretation.shape.degradation_state.meta({
      description: 'How predictions are served now',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'TenantSettings' });
export type TenantSettings = z.infer<typeof TenantSettings>;

const TenantChange = z
  .strictObject({ ...settings, notifications: ChannelsChange })
  .partial()
  .meta({ id: 'TenantChange', description: 'What is left out stays', example: { stage_b: 'disabled' } });
export type TenantChange = z.infer<typeof TenantChange>;

export const getTenant = route({
  method: 'GET',
  path: '/api/v1/tenant',
  operation: 'getTenant',
  unit: 'tenancy',
  summary: "Read the tenant's settings",
  access: 'admin:config',
  rate: 'read',
  needs: ['tenants.read', 'models.read'],
  replies: { 200: { description: 'The settings in force', body: TenantSettings } },
});

export const updateTenant = route({
  method: 'PATCH',
  path: '/api/v1/tenant',
  operation: 'updateTenant',
  effect: 'settings',
  unit: 'tenancy',
  summary: "Change the tenant's settings",
  description:
    'New events follow within seconds. Switching stage B on or off raises degradation.state.changed. Where notifications go is set by credentials that are bound to no residency lane alone, since they tell of all; e-mail addresses are refused where the service sends no mail.',
  access: 'admin:config',
  rate: 'write',
  needs: ['tenants.write', 'models.read', 'outbox.append', 'endpoint.derive'],
  body: { kind: 'json', schema: TenantChange, maxBytes: SETTINGS_BYTES_MAXIMUM },
  audit: 'tenant.settings',
  refuses: ['WEBHOOK_URL_REJECTED'],
  replies: { 200: { description: 'The settings now in force', body: TenantSettings } },
});
