import { log } from '../../platform/shared/log.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { DeadLetterQueue } from './deadLetter.aws.ts';
import type { DeadLetterReason } from './deadLetter.ts';
import type { InboundMessage } from './inboundMessage.ts';

/** Moves events of a message, or a message without readable events, to the dead-letter queue. */
export type SendToDeadLetterQueue = (
  inbound: InboundMessage,
  reason: DeadLetterReason,
  detail: string,
  events: readonly unknown[],
) => Promise<void>;

export const deadLetterSender =
  (deadLetters: DeadLetterQueue): SendToDeadLetterQueue =>
  async (inbound, reason, detail, events) => {
    await deadLetters.put({
      reason,
      detail,
      tenant_id: inbound.tenantId,
      sender: inbound.sender,
      stated_by: inbound.statedBy,
      received_at: inbound.receivedAt,
      residency: inbound.residency,
      events: [...events],
      digest: inbound.digest,
    });
    const count = Math.max(1, events.length);
    measure('setAside', count);
    log({ level: 'warn', message: 'event sent to the dead-letter queue', reason, count });
  };
