import pMap from 'p-map';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { RollupMessage } from '../../../../schemas/ledger/rollup.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import type { RollupHead, RollupWriter } from '../rollupWriter.store.ts';
import type { ComputeRollups } from '../summing/recompute.ts';
import { partitionsIn, shardOf } from '../summing/sumMinutes.ts';
import { type PendingMark, type PendingMarkStore, timeOfMark } from './pendingMark.store.ts';
import type { RollupQueue } from './queue.aws.ts';
import { messageOf, type RequestSums } from './requestSums.ts';

/** Minutes or marks whose items are read or written in parallel. */
const CONCURRENCY = 8;
/** More than the clocks of two machines differ. */
const CLOCK_SLACK_MS = 5_000;

/** A message, and whether it was received before. */
type ReceivedMessage = RollupMessage & { readonly isRedelivered: boolean };

/** Minutes of a message that are not summed yet. */
interface Work {
  /** Null for a message that is repeated until there is nothing left to do, and so needs no mark. */
  readonly mark: PendingMark | null;
  readonly shard: number | undefined;
  readonly minutes: readonly number[];
  /** See {@link RollupMessage}. Infinity when the minutes are summed in any case. */
  readonly coversUntil: number;
}

interface Outcome {
  readonly left: ReadonlySet<number>;
  readonly summed: ReadonlySet<number>;
  /** Why minutes are left, if not for lack of time. */
  readonly failure?: unknown;
}
const NOTHING_LEFT: Outcome = { left: new Set(), summed: new Set() };

/**
 * Whether a message may work on a mark: it continues the last turn, or it comes again because its process may have stopped
 * between storing the next turn and sending its message. So of all copies of a message one is continued.
 */
const mayContinue = ({ turn = 0, isRedelivered }: ReceivedMessage, mark: PendingMark): boolean =>
  turn === mark.turn || (isRedelivered && turn === mark.turn - 1);

/** What comes again may have stopped after its own sum, before hours, days and budgets, so it is summed in any case. */
const coversUntilOf = ({ covers_until, isRedelivered }: ReceivedMessage): number =>
  isRedelivered ? Number.POSITIVE_INFINITY : (covers_until ?? Number.POSITIVE_INFINITY);

/**
 * Whether all of these shards were read after all writes for which the message stands. A sum that is later than `now` is of a clock
 * that was ahead: it proves nothing.
 */
const isSummedSince = (
  heads: readonly RollupHead[],
  shards: ReadonlySet<number>,
  { until, now }: { readonly until: number; readonly now: number },
): boolean => {
  const summed = new Set(
    heads.filter(({ asOf }) => until + CLOCK_SLACK_MS <= asOf && asOf <= now).map(({ shard }) => shard),
  );
  return shards.size > 0 && [...shards].every((shard) => summed.has(shard));
};

/**
 * Returns a function that sums the minutes of the messages of a tenant, and then removes their pending marks. When the time
 * is over, the mark keeps the minutes that are left, and the next message continues it. Progress is in the mark and never in
 * the messages, so messages do not grow, whatever is delivered twice. A tenant with several ledger shards gets marks for
 * each, so that they are summed in parallel and each within the time of the function.
 *
 * Processes mark the same minutes, so a message is left out when its minutes were summed after all writes that it stands
 * for. A shard that has no sum yet is always summed, and so is a message that is delivered again.
 */
export const markSummer = (deps: {
  readonly ledger: Pick<LedgerReader, 'months'>;
  readonly rollups: Pick<RollupWriter, 'readHeads'>;
  readonly compute: ComputeRollups;
  /** Runs after minutes are summed and before their marks are removed. All of it is repeated when it fails. */
  readonly onSummed: (tenant: Tenant, minutes: readonly number[]) => Promise<void>;
  readonly pendingMarks: Pick<PendingMarkStore, 'read' | 'keep' | 'remove'>;
  readonly requestSums: RequestSums;
  readonly queue: Pick<RollupQueue, 'send'>;
  readonly clock: Clock;
}) => {
  const { ledger, rollups, compute, onSummed, pendingMarks, requestSums, queue, clock } = deps;

  const workOf = async (tenantId: string, messages: readonly ReceivedMessage[]): Promise<Work[]> => {
    const marks = await pendingMarks.read(
      tenantId,
      messages.flatMap((message) => message.marks),
    );
    // Also of a run that fails or ends before its sums: `rollupLatency` only tells of changes that arrived.
    for (const { key } of marks) measure('totalsAge', clock() - timeOfMark(key));
    const stored = new Map(marks.map((mark) => [mark.key, mark]));
    const work = new Map<string, Work>();
    for (const message of messages) {
      for (const key of message.marks) {
        const mark = stored.get(key);
        if (mark === undefined || !mayContinue(message, mark)) continue;
        const coversUntil = Math.max(work.get(key)?.coversUntil ?? 0, coversUntilOf(message));
        work.set(key, { mark, shard: mark.shard, minutes: mark.minutes, coversUntil });
      }
    }
    const unmarked = messages
      .filter(({ marks }) => marks.length === 0)
      .map(({ minutes, shard }) => ({ mark: null, shard, minutes, coversUntil: Number.POSITIVE_INFINITY }));
    return [...work.values(), ...unmarked];
  };

  /** The minutes that are not known to be summed since. */
  const minutesToSum = async (
    tenantId: string,
    work: readonly Work[],
    shards: ReadonlySet<number>,
  ): Promise<number[]> => {
    const needed = new Map<number, number>();
    for (const { minutes, coversUntil } of work) {
      for (const minute of minutes) needed.set(minute, Math.max(needed.get(minute) ?? 0, coversUntil));
    }
    const open = await pMap(
      needed,
      async ([minute, until]) => {
        if (until === Number.POSITIVE_INFINITY) return [minute];
        const from = minute * MINUTE_MS;
        const range = { grain: 'minute', from, to: from + MINUTE_MS } as const;
        const heads = await rollups.readHeads(tenantId, range);
        return isSummedSince(heads, shards, { until, now: clock() }) ? [] : [minute];
      },
      { concurrency: CONCURRENCY },
    );
    return open.flat();
  };

  /**
   * Removes a mark that is done. Otherwise keeps what is left, for the next message, or for the same one after a failure.
   */
  const settle = async (
    tenantId: string,
    mark: PendingMark,
    { left, summed, failure }: Outcome,
  ): Promise<void> => {
    const minutes = mark.minutes.filter((minute) => left.has(minute));
    if (minutes.length === 0) {
      if (mark.minutes.some((minute) => summed.has(minute)))
        measure('rollupLatency', clock() - timeOfMark(mark.key));
      await pendingMarks.remove(tenantId, mark.key);
      return;
    }
    const next = { ...mark, minutes, turn: failure === undefined ? mark.turn + 1 : mark.turn };
    const isOurs = await pendingMarks.keep(tenantId, next, mark);
    if (isOurs && failure === undefined) await queue.send(messageOf(tenantId, next), 0);
  };

  /** Sums minutes of one shard, or of all. */
  const sum = async (
    tenant: Tenant,
    work: readonly Work[],
    hasTime: () => boolean,
    shard: number | undefined,
  ): Promise<Outcome> => {
    const { tenant_id: tenantId } = tenant;
    const marked = new Set(work.flatMap(({ minutes }) => minutes));
    const months = [...new Set([...marked].map((minute) => monthOf(minute * MINUTE_MS)))];
    const partitions = await pMap(months, (month) => partitionsIn(ledger, tenant, month));
    const shards = new Set(shard === undefined ? partitions.flat().map(shardOf) : [shard]);
    const minutes = await minutesToSum(tenantId, work, shards);
    if (minutes.length === 0) return NOTHING_LEFT;
    if (shards.size > 1) {
      const until = Math.max(...work.map(({ coversUntil }) => coversUntil));
      const at = Math.min(
        clock(),
        ...work.flatMap(({ mark }) => (mark === null ? [] : [timeOfMark(mark.key)])),
      );
      const coversUntil = Number.isFinite(until) ? until : undefined;
      for (const one of shards) await requestSums(tenantId, minutes, { at, shard: one, coversUntil });
      return NOTHING_LEFT;
    }
    const { left, failure } = await compute(tenant, minutes, hasTime, shard);
    const unfinished = new Set(left);
    const summed = new Set(minutes.filter((minute) => !unfinished.has(minute)));
    if (summed.size > 0) await onSummed(tenant, [...summed]);
    return { left: unfinished, summed, failure };
  };

  /** Throws the first failure after everything that could be summed is. */
  return async (
    tenant: Tenant,
    messages: readonly ReceivedMessage[],
    hasTime: () => boolean,
  ): Promise<void> => {
    const failures: unknown[] = [];
    for (const [shard, work] of Map.groupBy(await workOf(tenant.tenant_id, messages), (one) => one.shard)) {
      const outcome = await sum(tenant, work, hasTime, shard);
      if (outcome.failure !== undefined) failures.push(outcome.failure);
      const marks = work.flatMap(({ mark }) => mark ?? []);
      await pMap(marks, (mark) => settle(tenant.tenant_id, mark, outcome), { concurrency: CONCURRENCY });
    }
    if (failures.length > 0) throw failures[0];
  };
};
