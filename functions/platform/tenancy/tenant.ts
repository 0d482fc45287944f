import * as z from 'zod';
import { AllocationPolicy } from '../../../schemas/attribution/allocation.ts';
import { Severity } from '../../../schemas/delivery/severity.ts';
import { Limit, plans, rateClasses } from '../../../schemas/platform/limits.ts';
import { TimeZone, UTC } from '../../../schemas/tenants/timeZone.ts';
import { type Calendar, calendarIn } from '../shared/time/calendar.ts';
import { Authorization } from './authorization.ts';
import { CostAllocationTags } from './costAllocationTags.ts';

/** Notification channels. The chat URL is sealed (`notifications/channels.ts`). */
const StoredChannels = z.object({
  email: z.array(z.string()),
  chat: z.object({ shown: z.string(), sealed_url: z.string() }).nullable(),
  minimum_severity: Severity,
  /** Who set the channels. They send only while this principal may read every notification. */
  authorized_by: Authorization.nullable(),
});
export type StoredChannels = z.infer<typeof StoredChannels>;

/** A tenant as stored. */
export const Tenant = z.object({
  tenant_id: z.string(),
  name: z.string(),
  /** Part of every id of the tenant; see `tenantTag`. */
  tag: z.string().regex(/^[a-z2-7]{8}$/),
  plan: z.enum(plans),
  /** Overrides of the plan's limits, set by an operator. */
  limits: z.partialRecord(z.enum(rateClasses), Limit),
  /** Data-residency lanes. Events without a lane belong to the first. Empty: the tenant is not bound to a lane. */
  residency: z.array(z.string()),
  /** The maximum lifetime of an API key. */
  key_lifetime_days: z.int().positive(),
  /** Whether trained models may attribute events that the rules cannot (stage B). */
  stage_b: z.enum(['enabled', 'disabled']).default('enabled'),
  /** IANA time zone of the days of reports and budgets. Absent: UTC. */
  time_zone: TimeZone.optional(),
  /** How unattributed cost is allocated after the end of each day. */
  allocation: AllocationPolicy.default({ method: 'proportional' }),
  /** The most that one call is believed to cost, in USD. Absent or null: no limit of the tenant. */
  largest_reported_cost_usd: z.string().nullable().optional(),
  /** The tag keys that reports can group by, as they changed. */
  cost_allocation_tags: CostAllocationTags.default([]),
  /** Absent until the tenant configures notifications. */
  notifications: StoredChannels.optional(),
  /** Set at the creation of a tenant with synthetic data, and never later: a reset deletes the data of the tenant. */
  sandbox: z.literal(true).optional(),
  created_at: z.iso.datetime(),
});
export type Tenant = z.infer<typeof Tenant>;

/** The name of a tenant for what leaves the service, such as mails and export files. It marks synthetic data. */
export const markedName = ({ name, sandbox }: Pick<Tenant, 'name' | 'sandbox'>): string =>
  sandbox === true ? `${name} (sandbox)` : name;

/** The calendar of the days of a tenant. */
export const calendarOf = ({ time_zone }: Pick<Tenant, 'time_zone'>): Calendar =>
  calendarIn(time_zone ?? UTC);

/** The lane of events that are sent without one; null for a tenant without lanes. */
export const homeLane = (tenant: Pick<Tenant, 'residency'>): string | null => tenant.residency[0] ?? null;
