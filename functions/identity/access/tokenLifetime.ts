/** The maximum lifetime of an accepted token, regardless of its claims. */
export const LIFETIME_MAXIMUM_SECONDS = 3_600;

/** The maximum clock difference between signer and verifier. */
export const CLOCK_SKEW_SECONDS = 60;
