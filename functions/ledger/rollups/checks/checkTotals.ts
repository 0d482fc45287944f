import pMap from 'p-map';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { REPAIRED, type TotalsCheckMessage } from '../../../../schemas/ledger/rollup.ts';
import { log } from '../../../platform/shared/log.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { startOf } from '../grain.ts';
import { isOlder, type PendingMark, type PendingMarkStore } from '../marks/pendingMark.store.ts';
import type { RollupQueue } from '../marks/queue.aws.ts';
import type { RequestSums } from '../marks/requestSums.ts';
import type { FindDifferences } from './findDifferences.ts';

type Check = TotalsCheckMessage['check'];

/**
 * Longer than a change takes from the ledger into its rollups. A difference that remains is not on its way, unless a mark is as
 * old: the sums of the tenant are then behind.
 */
const RECHECK_AFTER_MS = 5 * MINUTE_MS;

/** A longer period is checked in parts of this length. */
const PART_MS = DAY_MS;
const SEND_CONCURRENCY = 8;

/** The parts of a period, each of one length except for the last. */
const partsOf = ({ from, to, isRepeated }: Check, length: number): Check[] =>
  Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => {
    const start = from + index * length;
    return { from: start, to: Math.min(to, start + length), isRepeated };
  });

/** Whether a mark requests the sums of a minute (since the epoch). A mark of one shard leaves the others open. */
const isRequested = (marks: readonly PendingMark[], minute: number): boolean =>
  marks.some(({ minutes, shard }) => shard === undefined && minutes.includes(minute));

/**
 * Returns a function that compares totals with the ledger hour by hour. A difference is normal while a change is on its way.
 * Where a pending mark requests the sums of the minute, nothing is lost, because marks are repeated until they are done. Any
 * other difference is looked for again five minutes later, and again while the sums of the tenant are behind. If it is there
 * then, a mark was lost: the minutes are marked again, which raises an alarm. Minutes that lack a newly watched tag are marked
 * at once.
 *
 * A period is divided three times at most: into days, and when the time is over, the rest of a day into hours and the rest of
 * an hour into parts that are always finished. So a check causes a bounded number of messages, whatever is delivered twice.
 */
export const totalsChecker = (deps: {
  readonly findDifferences: FindDifferences;
  readonly requestSums: RequestSums;
  readonly pendingMarks: Pick<PendingMarkStore, 'list'>;
  readonly queue: Pick<RollupQueue, 'send'>;
  readonly clock: Clock;
}) => {
  const { findDifferences, requestSums, pendingMarks, queue, clock } = deps;

  const send = (tenant_id: string, checks: readonly Check[]): Promise<unknown> =>
    pMap(checks, (check) => queue.send({ tenant_id, check }, 0), { concurrency: SEND_CONCURRENCY });

  /** Compares a period within one hour. */
  const checkWithinHour = async (
    tenant_id: string,
    find: ReturnType<FindDifferences>,
    { isRepeated, ...period }: Check,
    hasTime: () => boolean,
  ): Promise<void> => {
    // Before the comparison: what is summed meanwhile was on its way.
    const marks = await pendingMarks.list(tenant_id);
    // A change of five minutes ago can still be on its way.
    const isBehind = marks.some((mark) => isOlder(mark, RECHECK_AFTER_MS, clock()));
    const { differing, untagged, left } = await find(period, hasTime);
    const minutes = differing.filter((minute) => !isRequested(marks, minute));
    await send(
      tenant_id,
      left.map((part) => ({ ...part, isRepeated })),
    );
    if (untagged.length > 0) await requestSums(tenant_id, untagged);
    if (minutes.length === 0) return;
    if (isRepeated && !isBehind) {
      log({
        level: 'error',
        message: REPAIRED,
        reason: 'rollups differed',
        tenant_id,
        count: minutes.length,
        // Without it, nobody finds the cause afterwards.
        hour: toIso(startOf('hour', period.from)),
      });
      await requestSums(tenant_id, minutes);
    } else {
      const compared = { from: period.from, to: left[0]?.from ?? period.to };
      await queue.send({ tenant_id, check: { ...compared, isRepeated: true } }, RECHECK_AFTER_MS);
    }
  };

  return async (tenant: Tenant, check: Check, hasTime: () => boolean): Promise<void> => {
    const { tenant_id } = tenant;
    const { from, to, isRepeated } = check;
    if (to - from > PART_MS) {
      await send(tenant_id, partsOf(check, PART_MS));
      return;
    }
    const find = findDifferences(tenant);
    for (let start = from; start < to; start = startOf('hour', start) + HOUR_MS) {
      if (start > from && !hasTime()) {
        await send(tenant_id, partsOf({ from: start, to, isRepeated }, HOUR_MS));
        return;
      }
      const hour = { from: start, to: Math.min(to, startOf('hour', start) + HOUR_MS), isRepeated };
      await checkWithinHour(tenant_id, find, hour, hasTime);
    }
  };
};
