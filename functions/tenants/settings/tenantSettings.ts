import type { TenantChange, TenantSettings } from '../../../schemas/routes/tenants/tenant.ts';
import { degradationOf } from '../../attribution/training/models/degradation.ts';
import type { ServingState } from '../../attribution/training/models/servingState.ts';
import { toChannels } from '../../delivery/notifications/channels/channels.ts';
import { latestTagKeys } from '../../platform/tenancy/costAllocationTags.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import { withTagKeys } from './tagKeyChanges.ts';

/** The API representation of a tenant's settings. */
export const toTenantSettings = (tenant: Tenant, serving: ServingState | null): TenantSettings => ({
  tenant_id: tenant.tenant_id,
  name: tenant.name,
  plan: tenant.plan,
  residency: tenant.residency,
  key_lifetime_days: tenant.key_lifetime_days,
  stage_b: tenant.stage_b,
  allocation: tenant.allocation,
  time_zone: calendarOf(tenant).timeZone,
  largest_reported_cost_usd: tenant.largest_reported_cost_usd ?? null,
  cost_allocation_tags: [...latestTagKeys(tenant.cost_allocation_tags).keys],
  cost_allocation_tags_from: latestTagKeys(tenant.cost_allocation_tags).from,
  notifications: toChannels(tenant),
  sandbox: tenant.sandbox === true,
  degradation_state: degradationOf(tenant, serving),
  created_at: tenant.created_at,
});

/** A tenant after a change of its settings at `now` (epoch milliseconds). Members that the change omits keep their value. */
export const applyTenantChange = (tenant: Tenant, change: TenantChange, now: number): Tenant => ({
  ...tenant,
  residency: change.residency ?? tenant.residency,
  key_lifetime_days: change.key_lifetime_days ?? tenant.key_lifetime_days,
  stage_b: change.stage_b ?? tenant.stage_b,
  allocation: change.allocation ?? tenant.allocation,
  ...(change.time_zone !== undefined && { time_zone: change.time_zone }),
  ...(change.largest_reported_cost_usd !== undefined && {
    largest_reported_cost_usd: change.largest_reported_cost_usd,
  }),
  cost_allocation_tags:
    change.cost_allocation_tags === undefined
      ? tenant.cost_allocation_tags
      : withTagKeys(tenant.cost_allocation_tags, change.cost_allocation_tags, now),
});
