import pMap from 'p-map';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { log } from '../../../platform/shared/log.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import { isOlder, type PendingMarkStore, timeOfMark } from './pendingMark.store.ts';
import type { RollupQueue } from './queue.aws.ts';
import { messageOf } from './requestSums.ts';

/** Longer than the receives of a message that fails some times. */
const LOST_AFTER_MS = 10 * MINUTE_MS;
const SEND_CONCURRENCY = 8;

/**
 * Sends the marks of a tenant again that are pending for more than ten minutes: their message was lost, used up its receives
 * or waits in a backlog. So are those of a clock that was ahead, whose age is not known. Of two messages for the same turn of a
 * mark, one is continued. `now` is epoch milliseconds.
 */
export const markRepeater =
  (deps: {
    readonly pendingMarks: Pick<PendingMarkStore, 'list'>;
    readonly queue: Pick<RollupQueue, 'send'>;
  }) =>
  async (tenantId: string, now: number): Promise<void> => {
    const marks = (await deps.pendingMarks.list(tenantId)).filter((mark) =>
      isOlder(mark, LOST_AFTER_MS, now),
    );
    const [oldest] = marks;
    if (oldest === undefined) return;
    // A mark whose message is lost is in no run that could tell of it.
    measure('totalsAge', Math.max(0, now - timeOfMark(oldest.key)));
    log({
      level: 'warn',
      message: 'pending marks were sent again',
      tenant_id: tenantId,
      count: marks.length,
    });
    await pMap(marks, (mark) => deps.queue.send(messageOf(tenantId, mark), 0), {
      concurrency: SEND_CONCURRENCY,
    });
  };
