import pMap from 'p-map';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { RollupMessage } from '../../../../schemas/ledger/rollup.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import type { ComputeRollups } from '../summing/recompute.ts';
import { partitionsIn, shardOf } from '../summing/sumMinutes.ts';
import { type PendingMark, type PendingMarkStore, timeOfMark } from './pendingMark.store.ts';
import type { RollupQueue } from './queue.aws.ts';
import { messageOf, type RequestSums } from './requestSums.ts';

/** Marks that are written in parallel. */
const CONCURRENCY = 8;
/** A message, and whether it was received before. */
type ReceivedMessage = RollupMessage & { readonly isRedelivered: boolean };

/** Minutes of a message that are not summed yet. */
interface Work {
  /** Null for a message that is repeated until there is nothing left to do, and so needs no mark. */
  readonly mark: PendingMark | null;
  readonly shard: number | undefined;
  readonly minutes: readonly number[];
}

interface Outcome {
  /** The minutes that no mark needs to stand for any more. */
  readonly done: ReadonlySet<number>;
  /** Whether they are in the totals. Otherwise marks of their shards stand for them. */
  readonly isSummed: boolean;
  /** Why minutes are left, if not for lack of time. */
  readonly failure?: unknown;
}

/**
 * Whether a message may work on a mark: it continues the last turn, or it comes again because its process may have stopped
 * between storing the next turn and sending its message. So of all copies of a message one is continued.
 */
const mayContinue = ({ turn = 0, isRedelivered }: ReceivedMessage, mark: PendingMark): boolean =>
  turn === mark.turn || (isRedelivered && turn === mark.turn - 1);

/** The marks in a list that stand for writes that had all ended at `now`. A sum that begins after they were read settles them. */
const endedMarks = (marks: readonly PendingMark[], now: number): PendingMark[] =>
  marks.filter(({ coversUntil }) => coversUntil !== undefined && coversUntil <= now);

/**
 * Returns a function that sums the minutes of the messages of a tenant, and then removes their pending marks. When the time
 * is over, the mark keeps the minutes that are left, and the next message continues it. Progress is in the mark and never in
 * the messages, so messages do not grow, whatever is delivered twice. A tenant with several ledger shards gets marks for
 * each, so that they are summed in parallel and each within the time of the function.
 *
 * Processes mark the same minutes, so a sum also settles the marks of other messages that were stored, and whose writes had
 * ended, when it began. Their messages then find nothing to do. A mark and not a time tells whether a sum is missing, so a clock
 * that steps back hides no write.
 */
export const markSummer = (deps: {
  readonly ledger: Pick<LedgerReader, 'months'>;
  readonly compute: ComputeRollups;
  /** Runs after minutes are summed and before their marks are removed. All of it is repeated when it fails. */
  readonly onSummed: (tenant: Tenant, minutes: readonly number[]) => Promise<void>;
  readonly pendingMarks: Pick<PendingMarkStore, 'read' | 'list' | 'keep' | 'remove'>;
  readonly requestSums: RequestSums;
  readonly queue: Pick<RollupQueue, 'send'>;
  readonly clock: Clock;
  /** More than the clocks of two processes differ, in milliseconds. */
  readonly clockSlack: number;
}) => {
  const { ledger, compute, onSummed, pendingMarks, requestSums, queue, clock, clockSlack } = deps;

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
        work.set(key, { mark, shard: mark.shard, minutes: mark.minutes });
      }
    }
    const unmarked = messages
      .filter(({ marks }) => marks.length === 0)
      .map(({ minutes, shard }) => ({ mark: null, shard, minutes }));
    return [...work.values(), ...unmarked];
  };

  /**
   * Removes a mark that is done. Otherwise keeps what is left: for the next message, which continues the mark if `isOwn`, or for
   * the one that is on its way.
   */
  const settle = async (
    tenantId: string,
    mark: PendingMark,
    { done, isSummed, failure }: Outcome,
    isOwn: boolean,
  ): Promise<void> => {
    const minutes = mark.minutes.filter((minute) => !done.has(minute));
    if (minutes.length === 0) {
      if (isSummed) measure('rollupLatency', clock() - timeOfMark(mark.key));
      await pendingMarks.remove(tenantId, mark.key);
      return;
    }
    const isContinued = isOwn && failure === undefined;
    if (!isContinued && minutes.length === mark.minutes.length) return;
    const next = { ...mark, minutes, turn: isContinued ? mark.turn + 1 : mark.turn };
    const isKept = await pendingMarks.keep(tenantId, next, mark);
    if (isKept && isContinued) await queue.send(messageOf(tenantId, next), 0);
  };

  /** Sums minutes of one shard, or of all. */
  const sum = async (
    tenant: Tenant,
    work: readonly Work[],
    hasTime: () => boolean,
    shard: number | undefined,
  ): Promise<Outcome> => {
    const { tenant_id: tenantId } = tenant;
    const minutes = [...new Set(work.flatMap((one) => one.minutes))];
    const months = [...new Set(minutes.map((minute) => monthOf(minute * MINUTE_MS)))];
    const partitions = await pMap(months, (month) => partitionsIn(ledger, tenant, month));
    const shards = new Set(shard === undefined ? partitions.flat().map(shardOf) : [shard]);
    if (shards.size > 1) {
      const marks = work.flatMap(({ mark }) => mark ?? []);
      const at = Math.min(clock(), ...marks.map(({ key }) => timeOfMark(key)));
      const ends = work.map(({ mark }) => mark?.coversUntil ?? Number.POSITIVE_INFINITY);
      const until = Math.max(...ends);
      const coversUntil = Number.isFinite(until) ? until : undefined;
      for (const one of shards) await requestSums(tenantId, minutes, { at, shard: one, coversUntil });
      return { done: new Set(minutes), isSummed: false };
    }
    const { left, failure } = await compute(tenant, minutes, hasTime, shard);
    const unfinished = new Set(left);
    const summed = minutes.filter((minute) => !unfinished.has(minute));
    if (summed.length > 0) await onSummed(tenant, summed);
    return { done: new Set(summed), isSummed: true, failure };
  };

  /** Throws the first failure after everything that could be summed is. */
  return async (
    tenant: Tenant,
    messages: readonly ReceivedMessage[],
    hasTime: () => boolean,
  ): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const allWork = await workOf(tenantId, messages);
    if (allWork.length === 0) return;
    const ended = endedMarks(await pendingMarks.list(tenantId), clock() - clockSlack);
    const failures: unknown[] = [];
    for (const [shard, work] of Map.groupBy(allWork, (one) => one.shard)) {
      const outcome = await sum(tenant, work, hasTime, shard);
      if (outcome.failure !== undefined) failures.push(outcome.failure);
      const own = new Map(work.flatMap(({ mark }) => (mark === null ? [] : [[mark.key, mark] as const])));
      const others = ended.filter((mark) => mark.shard === shard && !own.has(mark.key));
      await pMap([...own.values(), ...others], (mark) => settle(tenantId, mark, outcome, own.has(mark.key)), {
        concurrency: CONCURRENCY,
      });
    }
    if (failures.length > 0) throw failures[0];
  };
};
