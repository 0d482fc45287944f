import * as z from 'zod';

/**
 * Queue message that requests one attempt at a delivery. It is stale, and is ignored, once the delivery has more attempts
 * than `attempt` says.
 */
export const DeliveryMessage = z.object({
  tenant_id: z.string(),
  /** The ULID of the endpoint's id. */
  endpoint: z.string(),
  dedup_key: z.string(),
  /** Number of attempts before this one. */
  attempt: z.int().min(0),
  /** How often the message was put back because another process held the endpoint's lease. */
  deferrals: z.int().min(0).default(0),
});
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;
