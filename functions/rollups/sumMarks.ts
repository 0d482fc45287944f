import pMap from 'p-map';
import type { RollupMessage } from '../../schemas/rollup.ts';
import type { LedgerReader } from '../ledger/ledger.store.ts';
import { measure } from '../shared/metrics.ts';
import type { Clock } from '../shared/time/clock.ts';
import { monthOf } from '../shared/time/month.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { LENGTH } from './grain.ts';
import type { RollupQueue } from './markDirty.ts';
import { markKeyOf, type PendingMarkStore, timeOfMark } from './pendingMark.store.ts';
import type { ComputeRollups } from './recompute.ts';
import { partitionsIn, shardOf } from './sumMinutes.ts';

/**
 * Returns a function that sums the minutes of the messages of a tenant, and then removes their pending marks. Returns the
 * minutes that were summed. Minutes for which the time is over continue in another message. A tenant with several ledger
 * shards gets a message for each, so that they are summed in parallel and each within the time of the function.
 */
export const markSummer = (deps: {
  readonly ledger: Pick<LedgerReader, 'months'>;
  readonly compute: ComputeRollups;
  readonly pendingMarks: Pick<PendingMarkStore, 'add' | 'remove'>;
  readonly queue: Pick<RollupQueue, 'send'>;
  readonly clock: Clock;
  /** Returns a unique id. */
  readonly newId: () => string;
}) => {
  const { ledger, compute, pendingMarks, queue, clock, newId } = deps;

  const complete = async (tenantId: string, messages: readonly RollupMessage[]): Promise<void> => {
    const keys = new Set(messages.flatMap(({ marks }) => marks));
    await Promise.all([...keys].map((key) => pendingMarks.remove(tenantId, key)));
  };

  /** Each shard has a mark of its own, so that none of them is missed. */
  const sendToShards = async (tenantId: string, minutes: readonly number[], shards: ReadonlySet<number>) => {
    for (const shard of shards) {
      const key = markKeyOf(clock(), newId());
      await pendingMarks.add(tenantId, { key, minutes });
      await queue.send({ tenant_id: tenantId, minutes: [...minutes], shard, marks: [key] }, 0);
    }
  };

  return async (
    tenant: Tenant,
    messages: readonly RollupMessage[],
    hasTime: () => boolean,
  ): Promise<number[]> => {
    const { tenant_id: tenantId } = tenant;
    const summed: number[] = [];
    for (const [shard, group] of Map.groupBy(messages, (message) => message.shard)) {
      const minutes = [...new Set(group.flatMap((message) => message.minutes))];
      const months = [...new Set(minutes.map((minute) => monthOf(minute * LENGTH.minute)))];
      const partitions = await pMap(months, (month) => partitionsIn(ledger, tenant, month));
      const shards = new Set(partitions.flat().map(shardOf));
      if (shard === undefined && shards.size > 1) {
        await sendToShards(tenantId, minutes, shards);
        await complete(tenantId, group);
        continue;
      }
      const left = await compute(tenant, minutes, hasTime, shard);
      if (left.length > 0) {
        const marks = group.flatMap((message) => message.marks);
        await queue.send(
          { tenant_id: tenantId, minutes: left, marks, ...(shard !== undefined && { shard }) },
          0,
        );
      } else {
        for (const key of new Set(group.flatMap(({ marks }) => marks))) {
          measure('rollupLatency', clock() - timeOfMark(key));
        }
        await complete(tenantId, group);
      }
      summed.push(...minutes.filter((minute) => !left.includes(minute)));
    }
    return summed;
  };
};
