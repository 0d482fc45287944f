import * as z from 'zod';
import type { StreamKey } from './deliveryKey.ts';

/** A delivery, and the number of its attempts before the requested one. */
const DeliveryAttemptRequest = z.object({ dedup_key: z.string(), attempt: z.int().min(0) });
export type DeliveryAttemptRequest = z.infer<typeof DeliveryAttemptRequest>;

const common = {
  tenant_id: z.string(),
  /** The ULID of the endpoint's id. */
  endpoint: z.string(),
  /** How often the message was put back because another process held the endpoint's lease. */
  deferrals: z.int().min(0).default(0),
};

/**
 * Queue message that requests one attempt at a delivery. It is stale, and is ignored, once the delivery has more attempts
 * than `attempt` says.
 */
const SingleMessage = z.object({ ...common, ...DeliveryAttemptRequest.shape });

/** Queue message that requests one attempt at each of several deliveries to an endpoint that receives batches. */
const BatchMessage = z.object({
  ...common,
  deliveries: z.array(DeliveryAttemptRequest).min(1),
});

export const DeliveryMessage = z.union([SingleMessage, BatchMessage]);
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** The attempts that a message requests. */
export const requestedBy = (message: DeliveryMessage): readonly DeliveryAttemptRequest[] => {
  if ('deliveries' in message) return message.deliveries;
  const { dedup_key, attempt } = message;
  return [{ dedup_key, attempt }];
};

/** The message that requests these attempts. One attempt has the form that versions without batches read too. */
export const toDeliveryMessage = (
  { tenantId: tenant_id, endpointId: endpoint }: StreamKey,
  [first, ...others]: readonly [DeliveryAttemptRequest, ...DeliveryAttemptRequest[]],
  deferrals = 0,
): DeliveryMessage =>
  others.length === 0
    ? { tenant_id, endpoint, ...first, deferrals }
    : { tenant_id, endpoint, deliveries: [first, ...others], deferrals };

/** A received message, and the attempts for which it is the first of its batch. */
export interface DistinctMessage {
  readonly message: DeliveryMessage;
  readonly requests: readonly [DeliveryAttemptRequest, ...DeliveryAttemptRequest[]];
}

/**
 * Messages for one endpoint, without the attempts that an earlier message requests too. The queue may deliver a message
 * several times, and a batch may hold the messages of two attempts at one delivery.
 */
export const withoutCopies = (messages: readonly DeliveryMessage[]): DistinctMessage[] => {
  const seen = new Set<string>();
  return messages.flatMap((message) => {
    const [first, ...others] = requestedBy(message).filter(({ dedup_key, attempt }) => {
      const name = `${dedup_key} ${attempt}`;
      const isNew = !seen.has(name);
      seen.add(name);
      return isNew;
    });
    return first === undefined ? [] : [{ message, requests: [first, ...others] as const }];
  });
};
