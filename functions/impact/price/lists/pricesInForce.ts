import type { PriceObject } from '../../../../schemas/attribution/loadedPrices.ts';
import { cacheLookups } from '../../../platform/shared/caches/lookupCache.ts';
import { describeError, log } from '../../../platform/shared/log.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { PriceObjectReader } from './priceObject.store.ts';

/** After this time, loaded prices apply to all new lookups. */
const PRICES_TTL_MS = 5_000;
/** Timeout for reading an object. A message must be processed within its visibility timeout. */
const READ_TIMEOUT_MS = 2_000;

/** The loaded prices, or null if there are none. */
export type PricesInForceReader = () => Promise<PriceObject | null>;

/**
 * The prices that operators loaded, at most {@link PRICES_TTL_MS} old. While they cannot be read, what was read last counts
 * for events, which must become records, or else the prices of the service: a log line and a metric say so, and each record
 * names the prices that it used. A job has to fail instead, because it would change records back to earlier prices.
 */
export const pricesInForce = (
  objects: Pick<PriceObjectReader, 'inForce' | 'read'>,
  { clock, whenUnreadable }: { readonly clock: Clock; readonly whenUnreadable: 'fail' | 'last_known' },
): PricesInForceReader => {
  let known: { readonly version: string; readonly object: PriceObject } | null = null;
  const read = async (): Promise<PriceObject | null> => {
    const version = (await objects.inForce())?.document.version;
    if (version === undefined) return null;
    if (known?.version !== version) {
      known = { version, object: await objects.read(version, AbortSignal.timeout(READ_TIMEOUT_MS)) };
    }
    return known.object;
  };
  const current = cacheLookups(
    async () => {
      try {
        return { object: await read() };
      } catch (error) {
        if (whenUnreadable === 'fail') throw error;
        measure('unreadableRows');
        log({ level: 'error', message: 'loaded prices cannot be read', ...describeError(error) });
        return { object: known?.object ?? null };
      }
    },
    { lifetime: PRICES_TTL_MS, capacity: 1, clock },
  );
  return async () => (await current(''))?.object ?? null;
};
