import type { Stopwatch } from '../shared/clock.ts';
import type { Authenticator } from './authenticator.ts';

/** Milliseconds that a refusal is rounded up to: longer than a look-up nearly always takes. */
const STEP = 30;

/**
 * Lets every refusal take the same time. Reading and decoding a key that exists takes some microseconds longer than
 * finding none, which thousands of tries would tell; rounded up, they tell nothing.
 */
export const evenRefusals =
  (authenticator: Authenticator, watch: Stopwatch): Authenticator =>
  async (credential, now) => {
    const began = watch.now();
    const outcome = await authenticator(credential, now);
    if (outcome === 'invalid') {
      const steps = Math.floor((watch.now() - began) / STEP) + 1;
      await watch.until(began + steps * STEP);
    }
    return outcome;
  };
