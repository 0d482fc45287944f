import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { utcDateOf } from '../../platform/shared/time/toIso.ts';

/** Length of a time slot: precise enough to detect silence, with few writes. */
export const SLOT_MS = 10 * MINUTE_MS;

/** The start of the slot that contains an instant (epoch milliseconds). */
export const slotOf = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS;

/** The stored form of a slot: its UTC day, and its index (0 to 143) in the day. */
export const slotKey = (slot: number): { readonly day: string; readonly index: number } => ({
  day: utcDateOf(slot),
  index: Math.floor((slot % DAY_MS) / SLOT_MS),
});

export const slotStart = (day: string, index: number): number =>
  Date.parse(`${day}T00:00:00Z`) + index * SLOT_MS;
