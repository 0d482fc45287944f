/** The longest life of a token we accept, whatever it claims. */
export const LIFETIME_MAXIMUM_SECONDS = 3_600;

/** How far apart the clocks of signer and verifier may be. */
export const CLOCK_SKEW_SECONDS = 60;
