import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { InvocationResult } from '../lambda/sandbox.ts';
import type { StreamMappingDeclaration } from '../template/streams.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import { matchesPattern } from './eventFilter.ts';
import { type Change, type Shard, type StreamReader, streamEvent } from './streamReader.ts';

export interface StreamPollerOptions {
  mapping: StreamMappingDeclaration;
  reader: StreamReader;
  /** Where it is remembered how far the stream was told. */
  file: string;
  invoke: (event: string) => Promise<InvocationResult>;
  log: (line: string) => void;
}

export interface StreamPoller {
  /** Resolves when everything was told that had changed when this was asked, or at a stop. */
  whenCaughtUp(): Promise<void>;
  /** Reads no more and waits for what is being told. */
  stop(): Promise<void>;
}

/** As often as Lambda looks. */
const POLL_INTERVAL_MS = 250;
const ERROR_BACKOFF_MS = 1000;
/** Looks between which the engine may split a shard unnoticed. */
const SHARD_REFRESH_POLLS = 40;
const SETTLED_STEP_MS = 5;

const BatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullable();

const sequenceNumberOf = ({ dynamodb }: Change): string => dynamodb.SequenceNumber;

/** How many changes of a batch, from its beginning, an invocation has done with. */
function countProcessed(
  batch: readonly Change[],
  result: InvocationResult,
  reportsFailures: boolean,
): number {
  if (!result.ok) return 0;
  const report = reportsFailures ? BatchResponse.safeParse(JSON.parse(result.payload)) : undefined;
  if (report && !report.success) return 0;
  const failed = new Set(report?.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  if (failed.size === 0) return batch.length;
  // A report that names no change of the batch fails all of it.
  return Math.max(
    0,
    batch.findIndex((change) => failed.has(sequenceNumberOf(change))),
  );
}

/**
 * Tells a function of the changes of a table as an event source mapping does: shard by shard, each in its order, a batch
 * again from the first change that failed. A failing batch is told in halves; a change that fails by itself holds up its
 * shard until it is done, and is never set aside: nobody here would look for it.
 */
export function startStreamPoller(options: StreamPollerOptions): StreamPoller {
  const { mapping, reader, file, invoke, log } = options;
  const iterators = new Map<string, string>();
  let checkpoints: Checkpoints | undefined;
  let shards: Shard[] = [];
  let rounds = 0;
  let quietRound = 0;
  let stopping = false;
  let wake = (): void => {};

  /** Tells of some changes; false when not all are done. */
  async function deliver(shard: string, changes: readonly Change[], streamName: string): Promise<boolean> {
    let size = mapping.batchSize;
    for (let at = 0; at < changes.length; ) {
      if (stopping) return false;
      const batch = changes.slice(at, at + size);
      const wanted = batch.filter(
        (change) =>
          mapping.patterns.length === 0 || mapping.patterns.some((one) => matchesPattern(change, one)),
      );
      const processed =
        wanted.length === 0
          ? batch.length
          : countProcessedInBatch(
              batch,
              wanted,
              countProcessed(
                wanted,
                await invoke(JSON.stringify(streamEvent(wanted, streamName))),
                mapping.reportsFailures,
              ),
            );
      const last = batch[processed - 1];
      if (last) checkpoints?.set(shard, sequenceNumberOf(last));
      at += processed;
      if (processed === batch.length) continue;
      size = Math.max(1, Math.floor(batch.length / 2));
      await sleep(ERROR_BACKOFF_MS);
    }
    return true;
  }

  /** Looks at one shard once; false when there may be more. */
  async function pollShard(shard: string, streamName: string): Promise<boolean> {
    const iterator =
      iterators.get(shard) ?? (await reader.iterator(shard, checkpoints?.get(shard) ?? undefined));
    // Gone until the changes it leads to are told: what interrupts that begins at the checkpoint.
    iterators.delete(shard);
    const { changes, next } = await reader.read(iterator, mapping.batchSize);
    if (!(await deliver(shard, changes, streamName))) return false;
    if (next === undefined) checkpoints?.set(shard, null);
    else iterators.set(shard, next);
    return changes.length === 0;
  }

  async function pollAllShards(): Promise<boolean> {
    const streamName = await reader.streamArn();
    checkpoints ??= openCheckpoints(file, streamName);
    if (rounds % SHARD_REFRESH_POLLS === 1) shards = await reader.shards();
    const isOpen = (id: string | undefined): boolean =>
      shards.some((shard) => shard.id === id) && checkpoints?.get(id ?? '') !== null;
    let isQuiet = true;
    for (const { id, parent } of shards) {
      // What a shard's parent tells came before.
      if (!isOpen(id) || isOpen(parent)) continue;
      if (!(await pollShard(id, streamName))) isQuiet = false;
    }
    return isQuiet;
  }

  async function runLoop(): Promise<void> {
    while (!stopping) {
      rounds += 1;
      try {
        if (await pollAllShards()) {
          quietRound = rounds;
          await Promise.race([sleep(POLL_INTERVAL_MS), new Promise<void>((resolve) => (wake = resolve))]);
        }
      } catch (error) {
        if (stopping) return;
        iterators.clear();
        rounds = Math.ceil(rounds / SHARD_REFRESH_POLLS) * SHARD_REFRESH_POLLS;
        log(`${mapping.logicalId}: following failed, trying again: ${String(error)}`);
        await sleep(ERROR_BACKOFF_MS);
      }
    }
  }

  const ended = runLoop();
  return {
    async whenCaughtUp() {
      // The round under way may have looked before.
      const wanted = rounds + 1;
      while (!stopping && quietRound < wanted) {
        wake();
        await sleep(SETTLED_STEP_MS);
      }
    },
    async stop() {
      stopping = true;
      wake();
      await ended;
    },
  };
}

/** How many changes of a batch are done when so many of those that passed the filter are. */
function countProcessedInBatch(batch: readonly Change[], wanted: readonly Change[], count: number): number {
  const next = wanted[count];
  return next === undefined ? batch.length : batch.indexOf(next);
}
