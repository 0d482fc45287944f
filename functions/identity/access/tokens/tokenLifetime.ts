import { HOUR_SECONDS } from '../../../../schemas/durations.ts';

/** The maximum lifetime of an accepted token, regardless of its claims. */
export const LIFETIME_MAXIMUM_SECONDS = HOUR_SECONDS;

/** The maximum clock difference between signer and verifier. */
export const CLOCK_SKEW_SECONDS = 60;
