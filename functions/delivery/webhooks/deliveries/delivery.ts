import * as z from 'zod';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { RetryDecision } from './retrySchedule.ts';

/** The progress of one stream entry towards its endpoint. */
export const Delivery = z.object({
  sequence: z.int().min(1),
  entered_at: z.iso.datetime(),
  /** `dropped`: not sent, because the endpoint is no longer in a state to receive it. */
  state: z.enum(['pending', 'acknowledged', 'dead_lettered', 'dropped']),
  /** Number of completed attempts. */
  attempts: z.int().min(0),
  first_attempt_at: z.iso.datetime().nullable(),
  /** When the next attempt is due. For a finished delivery, when the last attempt was due. */
  due_at: z.iso.datetime(),
  /** How the event may share a request. Absent when it is sent in a request of its own. */
  batch: z
    .object({
      /** The most events of the request. */
      size: z.int().min(2),
      /** Bytes of the event in the body. */
      bytes: z.int().min(0),
    })
    .optional(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A delivery that is due immediately. `at` is epoch milliseconds, here and below. */
export const newDelivery = (sequence: number, at: number, batch?: Delivery['batch']): Delivery => ({
  sequence,
  entered_at: toIso(at),
  state: 'pending',
  attempts: 0,
  first_attempt_at: null,
  due_at: toIso(at),
  ...(batch !== undefined && { batch }),
});

/** The delivery after an attempt that started at `at`. If `isIsolated`, later attempts have a request of their own. */
export const advanceDelivery = (
  { batch, ...delivery }: Delivery,
  next: RetryDecision,
  { at, isIsolated }: { readonly at: number; readonly isIsolated: boolean },
): Delivery => ({
  ...delivery,
  ...(batch !== undefined && !isIsolated && { batch }),
  state: next.kind === 'retry' ? 'pending' : next.kind,
  attempts: delivery.attempts + 1,
  first_attempt_at: delivery.first_attempt_at ?? toIso(at),
  due_at: next.kind === 'retry' ? toIso(next.at) : delivery.due_at,
});

/** The delivery without further attempts. */
export const dropDelivery = (delivery: Delivery): Delivery => ({ ...delivery, state: 'dropped' });
