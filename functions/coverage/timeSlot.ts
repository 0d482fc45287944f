/** Sightings are told to ten minutes, epoch milliseconds: fine enough to tell silence from rhythm, and few writes. */
export const SLOT_MS = 10 * 60 * 1_000;
const DAY = 24 * 60 * 60 * 1_000;

/** The beginning of the slot an instant lies in. */
export const slotOf = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS;

/** A slot as it is kept: the day of UTC, and which of its 144 it is. */
export const slotKey = (slot: number): { readonly day: string; readonly index: number } => ({
  day: new Date(slot).toISOString().slice(0, 10),
  index: Math.floor((slot % DAY) / SLOT_MS),
});

export const slotStart = (day: string, index: number): number =>
  Date.parse(`${day}T00:00:00Z`) + index * SLOT_MS;
