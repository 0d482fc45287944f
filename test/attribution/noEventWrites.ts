import type { BuildEventWrites } from '../../functions/attribution/recordEvents.ts';

/** For ledgers without webhook subscriptions: a new version raises no event. */
export const buildNoEventWrites: BuildEventWrites = async () => [];
