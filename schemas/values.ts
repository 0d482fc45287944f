import * as z from 'zod';

/** Highest confidence the service ever claims, and the most it accepts from a producer (policy ceiling). */
export const CONFIDENCE_CEILING = 0.95;

/** Confidence a record needs before its cost may be charged back. */
export const CHARGEBACK_FLOOR = 0.8;

/** Confidence from which a record counts as provisional instead of estimated. */
export const PROVISIONAL_FLOOR = 0.5;

/**
 * A non-negative decimal as a string: money (USD), energy (Wh) and carbon (gCO2e) on the wire.
 * At most 12 fractional digits; no sign, exponent or leading zeros, so one value has one spelling up to trailing zeros.
 */
export const DecimalString = z
  .string()
  .regex(
    /^(?:0|[1-9]\d{0,17})(?:\.\d{1,12})?$/,
    'must be a non-negative decimal string with at most 12 fractional digits',
  )
  .meta({
    description: 'Non-negative decimal as a string, at most 12 fractional digits',
    example: '0.001325',
  });

/** A point in time on the way in: RFC 3339 with `Z` or an offset. Normalised to UTC milliseconds after parsing. */
export const Timestamp = z.iso
  .datetime({ offset: true })
  .max(40)
  .meta({ description: 'RFC 3339 timestamp', example: '2026-03-01T09:30:00.000Z' });

/** A label a person reads (owner, service, model …): no control characters, so it is safe in logs, headers and files. */
export const label = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must not contain control characters');

/** A count of tokens of one call. The bound keeps every product with a price inside 18 integer digits. */
export const TokenCount = z.int().min(0).max(1_000_000_000);
