import * as z from 'zod';
import type { RetryDecision } from './retrySchedule.ts';

/** How far one entry of a stream has come on its way to its endpoint. */
export const Delivery = z.object({
  sequence: z.int().min(1),
  entered_at: z.iso.datetime(),
  /** `dropped`: it was not sent any more, because its endpoint had left the state to receive it. */
  state: z.enum(['pending', 'acknowledged', 'dead_lettered', 'dropped']),
  /** Attempts that were made. */
  attempts: z.int().min(0),
  first_attempt_at: z.iso.datetime().nullable(),
  /** When the next attempt is due; of a delivery that is over, when the last one was. */
  due_at: z.iso.datetime(),
});
export type Delivery = z.infer<typeof Delivery>;

const instant = (at: number): string => new Date(at).toISOString();

/** A delivery that is due at once. `at` is epoch milliseconds, here and below. */
export const newDelivery = (sequence: number, at: number): Delivery => ({
  sequence,
  entered_at: instant(at),
  state: 'pending',
  attempts: 0,
  first_attempt_at: null,
  due_at: instant(at),
});

/** The delivery after an attempt that began at `at`. */
export const advanceDelivery = (delivery: Delivery, next: RetryDecision, at: number): Delivery => ({
  ...delivery,
  state: next.kind === 'retry' ? 'pending' : next.kind,
  attempts: delivery.attempts + 1,
  first_attempt_at: delivery.first_attempt_at ?? instant(at),
  due_at: next.kind === 'retry' ? instant(next.at) : delivery.due_at,
});

/** A delivery that nobody will attempt any more. */
export const dropDelivery = (delivery: Delivery): Delivery => ({ ...delivery, state: 'dropped' });
