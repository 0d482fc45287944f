import * as z from 'zod';
import { parseFixedPoint } from '../../../../schemas/attribution/allocation.ts';
import { formatFixedPoint } from '../../../platform/shared/largestRemainder.ts';

/** JSON form of a fixed-point number (units of 1e-12) in work documents: a decimal string. */
export const StoredFixedPoint = z.codec(z.string(), z.bigint(), {
  decode: (text) => parseFixedPoint(text),
  encode: formatFixedPoint,
});
