import * as z from 'zod';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { afterAttempt, newProgress, Progress } from './progress.ts';
import type { RetryDecision } from './retrySchedule.ts';

/** The progress of one stream entry towards its endpoint. */
export const Delivery = Progress.extend({
  sequence: z.int().min(1),
  entered_at: z.iso.datetime(),
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
  ...newProgress(at),
  sequence,
  entered_at: toIso(at),
  ...(batch !== undefined && { batch }),
});

/** The delivery after an attempt that started at `at`. If `isIsolated`, later attempts have a request of their own. */
export const advanceDelivery = (
  { batch, ...delivery }: Delivery,
  next: RetryDecision,
  { at, isIsolated }: { readonly at: number; readonly isIsolated: boolean },
): Delivery => ({
  ...afterAttempt(delivery, next, at),
  ...(batch !== undefined && !isIsolated && { batch }),
});

/** The delivery without further attempts. */
export const dropDelivery = (delivery: Delivery): Delivery => ({ ...delivery, state: 'dropped' });
