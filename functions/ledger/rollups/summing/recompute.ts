import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { memoizeAsync } from '../../../platform/shared/caches/memoizeAsync.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { noContent } from '../../records/content.ts';
import { startOf } from '../grain.ts';
import { endOf, type OpenPeriod } from '../openPeriod.store.ts';
import { mergeRollups } from '../rollup.ts';
import { minuteRangesOf, scatteredRangeOf } from './minuteRanges.ts';
import { type MinuteStores, minutePutter } from './putMinutes.ts';
import { type RollupPutterStores, rollupPutter } from './putRollup.ts';

/** A period is closed this long after its end, more than the clocks of two machines differ. */
export const CLOSE_AFTER_MS = 2 * MINUTE_MS;
/** Most hours and days of tenants that a process remembers as open. */
const OPENED_CAPACITY = 10_000;

export type RollupComputerStores = MinuteStores & RollupPutterStores;

/**
 * Returns a function that recomputes the rollups of changed minutes. The sum of a minute and ledger shard is read from its
 * records. The sums of the hour and day that contain it are stored after their end; before, they are open and readers add
 * up the minutes. Totals are never incremented, so they stay exact under duplicates, late events, corrections and crashes.
 *
 * A writer reads the revision of a sum first and its sources second. When the revision has changed at the write, the writer
 * lost against another one and reads again. So a sum never lacks what its last writer could read. Whether a period has ended
 * is decided after its minutes are written: a writer that was late then stores the sum of the period itself.
 */
export const rollupComputer = (stores: RollupComputerStores) => {
  const { rollups, clock } = stores;
  const putRollup = rollupPutter(stores);
  const startRun = minutePutter(stores, putRollup);
  const once = memoizeAsync<void>(OPENED_CAPACITY);

  const open = async ({ tenant_id: id, created_at: since }: Tenant, start: number): Promise<void> => {
    for (const grain of ['hour', 'day'] as const) {
      const period = { grain, start: startOf(grain, start) };
      if (endOf(period) <= clock()) continue;
      // An id may be given to another tenant after its first one was erased.
      await once(`${id} ${since} ${grain} ${period.start}`, () => rollups.openPeriod(id, period));
    }
  };

  const FINER = { day: 'hour', hour: 'minute' } as const;

  /** Stores the sum of a period if it has ended. */
  const close = async (
    tenantId: string,
    period: OpenPeriod,
    openPeriods: () => Promise<readonly OpenPeriod[]>,
  ): Promise<void> => {
    if (endOf(period) > clock()) return;
    const { grain, start } = period;
    const stillOpen = await openPeriods();
    await putRollup(tenantId, { grain, start, shard: 0 }, async () => {
      const asOf = clock();
      const parts = await rollups.read(tenantId, { grain: FINER[grain], from: start, to: endOf(period) });
      return {
        ...(parts.length === 0 ? { groups: [], content: noContent } : mergeRollups(period, parts)),
        asOf,
      };
    });
    const isOpen = stillOpen.some((one) => one.grain === grain && one.start === start);
    if (isOpen && clock() >= endOf(period) + CLOSE_AFTER_MS) await rollups.closePeriod(tenantId, period);
  };

  /**
   * `minutes` are counted since the epoch. Returns those whose sums, or the sums of their hours and days, are not written
   * because `hasTime` returned false, or because of `failure`: the first failure, which does not stop other hours. At least
   * one range is always attempted, with its hour and day, so what follows after the time is over is bounded. `shard` limits
   * it to one ledger shard.
   */
  return async (
    tenant: Tenant,
    minutes: readonly number[],
    hasTime: () => boolean = () => true,
    shard?: number,
  ): Promise<{ readonly left: number[]; readonly failure?: unknown }> => {
    const { tenant_id: tenantId } = tenant;
    const starts = [...new Set(minutes)]
      .sort((one, other) => one - other)
      .map((minute) => minute * MINUTE_MS);
    const putMinutes = startRun(tenant);
    const failures: unknown[] = [];
    const done = new Set<number>();
    let isFirst = true;
    /** Read once. A period that is opened later is closed by the writer that opened it, or by the sweep. */
    let read: Promise<readonly OpenPeriod[]> | undefined;
    const openPeriods = () => {
      read ??= rollups.openPeriods(tenantId);
      return read;
    };

    /** Resolves to the minutes of an hour that are summed. */
    const sumHour = async (hour: number, own: readonly number[]): Promise<number[]> => {
      const summed: number[] = [];
      const period = { grain: 'hour', start: hour } as const;
      const scattered = endOf(period) > clock() ? null : scatteredRangeOf(own);
      if (scattered !== null) {
        isFirst = false;
        await open(tenant, hour);
        if (await putMinutes({ range: scattered, changed: own, shard, pages: 1 })) {
          await close(tenantId, period, openPeriods);
          return [...own];
        }
      }
      for (const range of minuteRangesOf(own)) {
        if (!isFirst && !hasTime()) break;
        isFirst = false;
        const changed = own.filter((start) => range.from <= start && start < range.to);
        await open(tenant, range.from);
        await putMinutes({ range, changed, shard });
        summed.push(...changed);
      }
      if (summed.length > 0) await close(tenantId, period, openPeriods);
      return summed;
    };
    const orFailure = async (work: () => Promise<readonly number[]>): Promise<readonly number[]> => {
      try {
        return await work();
      } catch (failure) {
        failures.push(failure);
        return [];
      }
    };

    for (const [day, ofDay] of Map.groupBy(starts, (start) => startOf('day', start))) {
      if (!isFirst && !hasTime()) break;
      const written = await orFailure(async () => {
        const summed: number[] = [];
        for (const [hour, own] of Map.groupBy(ofDay, (start) => startOf('hour', start))) {
          if (!isFirst && !hasTime()) break;
          summed.push(...(await orFailure(() => sumHour(hour, own))));
        }
        if (summed.length > 0) await close(tenantId, { grain: 'day', start: day }, openPeriods);
        return summed;
      });
      for (const start of written) done.add(start);
    }
    const left = starts.filter((start) => !done.has(start)).map((start) => start / MINUTE_MS);
    return failures.length === 0 ? { left } : { left, failure: failures[0] };
  };
};
export type ComputeRollups = ReturnType<typeof rollupComputer>;
