import type { IsRaised } from '../../functions/attribution/recordSubscription.ts';

/** No endpoint of any tenant subscribes to new versions. */
export const neverRaised: IsRaised = async () => false;
