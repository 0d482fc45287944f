import * as z from 'zod';
import { picoOf } from '../../../schemas/attribution/allocation.ts';
import { fromPico } from '../../shared/largestRemainder.ts';

/** Picos (1e-12) as a decimal string, for what waits in store as JSON. */
export const StoredPico = z.codec(z.string(), z.bigint(), {
  decode: (text) => picoOf(text),
  encode: fromPico,
});
