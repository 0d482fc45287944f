import * as z from 'zod';

/**
 * The event of an EventBridge rule in a queue. It starts every round of the queue. An event that is sent twice has one id.
 */
export const Tick = z.object({ source: z.literal('aws.events'), id: z.string(), time: z.iso.datetime() });
export type Tick = z.infer<typeof Tick>;

/** Continues a round whose function had no time left. */
export const Continuation = z.object({
  /** The name of the round, such as `tenants`. */
  of: z.string(),
  round: z.string(),
});
export type Continuation = z.infer<typeof Continuation>;

/** The turn of a tenant in a round: what is due for it is done. */
export const Turn = z.object({ tenant_id: z.string(), round: z.string() });
export type Turn = z.infer<typeof Turn>;
