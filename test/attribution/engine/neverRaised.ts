import type { IsRaised } from '../../../functions/attribution/engine/recordSubscription.ts';

/** No endpoint of any tenant subscribes to new versions. */
export const neverRaised: IsRaised = async () => false;
