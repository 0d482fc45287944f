/** Epoch milliseconds as an RFC 3339 timestamp in UTC with milliseconds: `2026-05-21T12:00:00.000Z`. */
export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The timestamp of an instant, or null if there is none. */
export const isoOrNull = (milliseconds: number | null | undefined): string | null =>
  milliseconds === null || milliseconds === undefined ? null : toIso(milliseconds);

/** The UTC date of an instant in epoch milliseconds: `2026-05-21`. */
export const utcDateOf = (milliseconds: number): string => toIso(milliseconds).slice(0, 10);
