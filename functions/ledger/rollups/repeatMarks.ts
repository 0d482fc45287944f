import { REPAIRED } from '../../../schemas/rollup.ts';
import { log } from '../../platform/shared/log.ts';
import { LENGTH } from './grain.ts';
import type { RollupQueue } from './markDirty.ts';
import type { PendingMarkStore } from './pendingMark.store.ts';

/** Longer than the receives of a message that fails some times. */
const LOST_AFTER_MS = 10 * LENGTH.minute;
/** Most minutes in one message. */
const MINUTES_MAXIMUM = 200;

/**
 * Sends the marks of a tenant again that are pending for more than ten minutes: their message was lost, used up its receives
 * or waits in a backlog. Summing minutes twice changes nothing. `now` is epoch milliseconds.
 */
export const markRepeater =
  (deps: {
    readonly pendingMarks: Pick<PendingMarkStore, 'list'>;
    readonly queue: Pick<RollupQueue, 'send'>;
  }) =>
  async (tenantId: string, now: number): Promise<void> => {
    const marks = await deps.pendingMarks.list(tenantId, now - LOST_AFTER_MS);
    if (marks.length === 0) return;
    log({
      level: 'error',
      message: REPAIRED,
      reason: 'mark was lost',
      tenant_id: tenantId,
      count: marks.length,
    });
    let minutes = new Set<number>();
    let keys: string[] = [];
    const send = async () => {
      if (keys.length > 0)
        await deps.queue.send({ tenant_id: tenantId, minutes: [...minutes], marks: keys }, 0);
      minutes = new Set();
      keys = [];
    };
    for (const mark of marks) {
      if (new Set([...minutes, ...mark.minutes]).size > MINUTES_MAXIMUM) await send();
      for (const minute of mark.minutes) minutes.add(minute);
      keys.push(mark.key);
    }
    await send();
  };
