import * as z from 'zod';
import { parseFixedPoint } from '../../../schemas/attribution/allocation.ts';
import { formatFixedPoint } from '../../shared/largestRemainder.ts';

/** Picos (1e-12) as a decimal string, for what waits in store as JSON. */
export const StoredFixedPoint = z.codec(z.string(), z.bigint(), {
  decode: (text) => parseFixedPoint(text),
  encode: formatFixedPoint,
});
