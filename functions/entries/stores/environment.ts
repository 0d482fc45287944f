import { resourceOf } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import type { Environment } from './provider.ts';

/** The environment of this function. */
export const environment: Environment = { resourceOf, clock: systemClock };
