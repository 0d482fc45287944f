import type { RollupMessage } from '../../../../schemas/ledger/rollup.ts';
import { chunksOf } from '../../../platform/shared/chunksOf.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { markKeyOf, type NewMark, type PendingMark, type PendingMarkStore } from './pendingMark.store.ts';
import type { RollupQueue } from './queue.aws.ts';

/** Most minutes of a mark. Its message then has about 2 KiB, of the 1 MiB that SQS takes. */
export const MINUTES_MAXIMUM = 200;

/** The message that has a mark summed. It names one mark, so its size is bounded by that of the mark. */
export const messageOf = (
  tenantId: string,
  { key, minutes, shard, turn = 0 }: NewMark & Partial<PendingMark>,
): RollupMessage => ({
  tenant_id: tenantId,
  minutes: [...minutes],
  marks: [key],
  ...(shard !== undefined && { shard }),
  ...(turn > 0 && { turn }),
});

interface RequestOptions {
  /** When the minutes changed, epoch milliseconds. Default: now. */
  readonly at?: number;
  readonly shard?: number;
  /** See {@link NewMark}. */
  readonly coversUntil?: number | undefined;
  /** Milliseconds until the message is received. */
  readonly delay?: number;
}

/**
 * Returns a function that has minutes summed again: it adds pending marks and sends a message for each. The mark comes
 * first, because a message without its mark counts as done. Rejects when one could not be stored or sent.
 */
export const sumRequester = (deps: {
  readonly pendingMarks: Pick<PendingMarkStore, 'add'>;
  readonly queue: Pick<RollupQueue, 'send'>;
  readonly clock: Clock;
  /** Returns a unique id. */
  readonly newId: () => string;
}) => {
  const { pendingMarks, queue, clock, newId } = deps;
  return async (
    tenantId: string,
    minutes: readonly number[],
    { at = clock(), shard, coversUntil, delay = 0 }: RequestOptions = {},
  ): Promise<void> => {
    await Promise.all(
      chunksOf([...new Set(minutes)], MINUTES_MAXIMUM).map(async (chunk) => {
        const mark = { key: markKeyOf(at, newId()), minutes: chunk, shard, coversUntil };
        await pendingMarks.add(tenantId, mark);
        await queue.send(messageOf(tenantId, mark), delay);
      }),
    );
  };
};
export type RequestSums = ReturnType<typeof sumRequester>;
