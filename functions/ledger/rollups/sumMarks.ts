import pMap from 'p-map';
import type { RollupMessage } from '../../../schemas/rollup.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { monthOf } from '../../platform/shared/time/month.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { LedgerReader } from '../records/ledger.store.ts';
import { LENGTH } from './grain.ts';
import type { RollupQueue } from './markDirty.ts';
import { markKeyOf, type PendingMarkStore, timeOfMark } from './pendingMark.store.ts';
import type { ComputeRollups } from './recompute.ts';
import type { RollupHead, RollupWriter } from './rollupWriter.store.ts';
import { partitionsIn, shardOf } from './sumMinutes.ts';

/** Minutes whose sums are looked up in parallel. */
const HEADS_CONCURRENCY = 8;
/** More than the clocks of two machines differ. */
const CLOCK_SLACK_MS = 5_000;

/** The message without the permission to leave out what was summed meanwhile. */
export const alwaysSummed = <Message extends object>(message: Message): Message => ({
  ...message,
  covers_until: undefined,
});

/** Whether all of these shards were read after all writes for which the message stands. */
const isSummedSince = (heads: readonly RollupHead[], shards: ReadonlySet<number>, until: number): boolean => {
  const summed = new Set(
    heads.filter(({ asOf }) => asOf >= until + CLOCK_SLACK_MS).map(({ shard }) => shard),
  );
  return shards.size > 0 && [...shards].every((shard) => summed.has(shard));
};

/**
 * Returns a function that sums the minutes of the messages of a tenant, and then removes their pending marks. Returns the
 * minutes that were summed. Minutes for which the time is over continue in another message. A tenant with several ledger
 * shards gets a message for each, so that they are summed in parallel and each within the time of the function.
 *
 * Processes mark the same minutes, so a message is left out when its minutes were summed after all writes that it stands for.
 * A shard without a sum, and a message that came before, are always summed.
 */
export const markSummer = (deps: {
  readonly ledger: Pick<LedgerReader, 'months'>;
  readonly rollups: Pick<RollupWriter, 'readHeads'>;
  readonly compute: ComputeRollups;
  readonly pendingMarks: Pick<PendingMarkStore, 'add' | 'remove'>;
  readonly queue: Pick<RollupQueue, 'send'>;
  readonly clock: Clock;
  /** Returns a unique id. */
  readonly newId: () => string;
}) => {
  const { ledger, rollups, compute, pendingMarks, queue, clock, newId } = deps;

  const complete = async (tenantId: string, messages: readonly RollupMessage[]): Promise<void> => {
    const keys = new Set(messages.flatMap(({ marks }) => marks));
    await Promise.all([...keys].map((key) => pendingMarks.remove(tenantId, key)));
  };

  /** Each shard has a mark of its own, so that none of them is missed. */
  const sendToShards = async (
    tenantId: string,
    minutes: readonly number[],
    shards: ReadonlySet<number>,
    coversUntil: number | undefined,
  ) => {
    for (const shard of shards) {
      const key = markKeyOf(clock(), newId());
      await pendingMarks.add(tenantId, { key, minutes });
      const message = { tenant_id: tenantId, minutes: [...minutes], shard, marks: [key] };
      await queue.send({ ...message, ...(coversUntil !== undefined && { covers_until: coversUntil }) }, 0);
    }
  };

  /** The minutes of messages that are not known to be summed since. */
  const minutesToSum = async (
    tenantId: string,
    messages: readonly RollupMessage[],
    shards: ReadonlySet<number>,
  ): Promise<number[]> => {
    const needed = new Map<number, number>();
    for (const { minutes, covers_until = Number.POSITIVE_INFINITY } of messages) {
      for (const minute of minutes) needed.set(minute, Math.max(needed.get(minute) ?? 0, covers_until));
    }
    const open = await pMap(
      needed,
      async ([minute, until]) => {
        if (until === Number.POSITIVE_INFINITY) return [minute];
        const from = minute * LENGTH.minute;
        const range = { grain: 'minute', from, to: from + LENGTH.minute } as const;
        return isSummedSince(await rollups.readHeads(tenantId, range), shards, until) ? [] : [minute];
      },
      { concurrency: HEADS_CONCURRENCY },
    );
    return open.flat();
  };

  return async (
    tenant: Tenant,
    messages: readonly RollupMessage[],
    hasTime: () => boolean,
  ): Promise<number[]> => {
    const { tenant_id: tenantId } = tenant;
    const summed: number[] = [];
    for (const [shard, group] of Map.groupBy(messages, (message) => message.shard)) {
      const marked = [...new Set(group.flatMap((message) => message.minutes))];
      const months = [...new Set(marked.map((minute) => monthOf(minute * LENGTH.minute)))];
      const partitions = await pMap(months, (month) => partitionsIn(ledger, tenant, month));
      const shards = new Set(partitions.flat().map(shardOf));
      const minutes = await minutesToSum(tenantId, group, shard === undefined ? shards : new Set([shard]));
      if (minutes.length === 0) {
        await complete(tenantId, group);
        continue;
      }
      if (shard === undefined && shards.size > 1) {
        const instants = group.map(({ covers_until }) => covers_until ?? Number.POSITIVE_INFINITY);
        const until = Math.max(...instants);
        await sendToShards(tenantId, minutes, shards, Number.isFinite(until) ? until : undefined);
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
