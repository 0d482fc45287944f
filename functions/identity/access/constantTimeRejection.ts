import type { Stopwatch } from '../../platform/shared/time/clock.ts';
import type { Authenticator } from './authenticator.ts';

/** The duration of a refusal is rounded up to a multiple of this. Nearly all lookups are shorter. */
const REJECTION_STEP_MS = 30;

/**
 * Makes every refusal take the same time. Reading and decoding an existing key takes some microseconds longer than
 * finding none. Without rounding, thousands of attempts could measure that difference (timing attack).
 */
export const constantTimeRejection =
  (authenticator: Authenticator, stopwatch: Stopwatch): Authenticator =>
  async (credential, now) => {
    const startedAt = stopwatch.now();
    const outcome = await authenticator(credential, now);
    if (outcome === 'invalid') {
      const roundedSteps = Math.floor((stopwatch.now() - startedAt) / REJECTION_STEP_MS) + 1;
      await stopwatch.until(startedAt + roundedSteps * REJECTION_STEP_MS);
    }
    return outcome;
  };
