import type { Stopwatch } from '../shared/clock.ts';
import type { Authenticator } from './authenticator.ts';

/** Milliseconds that a refusal is rounded up to: longer than a look-up nearly always takes. */
const REJECTION_STEP_MS = 30;

/**
 * Lets every refusal take the same time. Reading and decoding a key that exists takes some microseconds longer than
 * finding none, which thousands of tries would tell; rounded up, they tell nothing.
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
