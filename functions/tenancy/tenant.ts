import * as z from 'zod';
import { AllocationPolicy } from '../../schemas/attribution/allocation.ts';
import { Limit, plans, rateClasses } from '../../schemas/platform/limits.ts';
import { Severity } from '../../schemas/severity.ts';

/** From `from` on (by the time of the call), records are spread over `count` ledger partitions. */
const ShardCount = z.object({ from: z.int().min(0), count: z.int().min(1).max(64) });
export type ShardCount = z.infer<typeof ShardCount>;

/** Where notifications go; the URL of a chat is sealed (`notifications/channels.ts`). */
const StoredChannels = z.object({
  email: z.array(z.string()),
  chat: z.object({ shown: z.string(), sealed_url: z.string() }).nullable(),
  minimum_severity: Severity,
});
export type StoredChannels = z.infer<typeof StoredChannels>;

/** A tenant as operators keep it. */
export const Tenant = z.object({
  tenant_id: z.string(),
  name: z.string(),
  /** Marks the tenant's ids; see `tenantTag`. */
  tag: z.string().regex(/^[a-z2-7]{8}$/),
  plan: z.enum(plans),
  /** Operator's overrides of the plan. */
  limits: z.partialRecord(z.enum(rateClasses), Limit),
  /** Data-residency lanes; the first is home to what is sent without a lane of its own. None: not bound to any. */
  residency: z.array(z.string()),
  /** The longest an API key may live. */
  key_lifetime_days: z.int().positive(),
  /** Whether trained models may place what the rules cannot. */
  stage_b: z.enum(['enabled', 'disabled']).default('enabled'),
  /** How what nobody was named for is shared out, once a day has ended. */
  allocation: AllocationPolicy.default({ method: 'proportional' }),
  /** Absent until the tenant sets any. */
  notifications: StoredChannels.optional(),
  /** Newest last; the first applies from the beginning of time. */
  shards: z.array(ShardCount).min(1),
  created_at: z.iso.datetime(),
});
export type Tenant = z.infer<typeof Tenant>;

/** Where what is sent without a lane of its own belongs; null for a tenant that has none. */
export const homeLane = (tenant: Pick<Tenant, 'residency'>): string | null => tenant.residency[0] ?? null;

/** How many ledger partitions records of this time are spread over. */
export const shardCountAt = (tenant: Pick<Tenant, 'shards'>, occurredAt: number): number =>
  tenant.shards.findLast((shard) => shard.from <= occurredAt)?.count ?? 1;
