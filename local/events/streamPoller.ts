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
  /** The checkpoint file. */
  file: string;
  invoke: (event: string) => Promise<InvocationResult>;
  log: (line: string) => void;
}

export interface StreamPoller {
  /** Resolves when all changes made before this call are delivered, or when the poller stops. */
  whenCaughtUp(): Promise<void>;
  /** Stops reading and waits for the current delivery. */
  stop(): Promise<void>;
}

/** Lambda polls a stream shard four times a second. */
const POLL_INTERVAL_MS = 250;
/** A stream without changes is polled less often, because each poll of an idle service costs the developer's machine. */
const QUIET_POLL_INTERVAL_MS = 1_000;
/** Rounds without a change, about ten seconds, after which a stream counts as quiet. */
const QUIET_AFTER_ROUNDS = 40;
const ERROR_BACKOFF_MS = 1000;
/** The shard list is read again after this many polls, to find split shards. */
const SHARD_REFRESH_POLLS = 40;
const CAUGHT_UP_CHECK_MS = 5;

/** The pause before the next poll, after this many rounds without a change. */
export const pollPauseMs = (unchangedRounds: number): number =>
  unchangedRounds < QUIET_AFTER_ROUNDS ? POLL_INTERVAL_MS : QUIET_POLL_INTERVAL_MS;

const BatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullable();

const sequenceNumberOf = ({ dynamodb }: Change): string => dynamodb.SequenceNumber;

/** The number of changes, from the start of the batch, that an invocation has processed. */
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
  // A report that names no change of the batch fails the whole batch.
  return Math.max(
    0,
    batch.findIndex((change) => failed.has(sequenceNumberOf(change))),
  );
}

/**
 * Invokes a function with the changes of a table, as an event source mapping does. Each shard is delivered in order. A
 * batch is retried from the first failed change, and a failing batch is split in halves. A single failing change blocks
 * its shard until it succeeds. It never goes to a dead-letter queue, because no local operator would see it.
 */
export function startStreamPoller(options: StreamPollerOptions): StreamPoller {
  const { mapping, reader, file, invoke, log } = options;
  const iterators = new Map<string, string>();
  let checkpoints: Checkpoints | undefined;
  let shards: Shard[] = [];
  let rounds = 0;
  let idleRound = 0;
  let unchangedRounds = 0;
  let stopping = false;
  let wake = (): void => {};

  /** Delivers changes. Returns false if the poller stopped before all were processed. */
  async function deliver(shard: string, changes: readonly Change[], streamName: string): Promise<boolean> {
    let size = mapping.batchSize;
    for (let position = 0; position < changes.length; ) {
      if (stopping) return false;
      const batch = changes.slice(position, position + size);
      const matching = batch.filter(
        (change) =>
          mapping.patterns.length === 0 ||
          mapping.patterns.some((pattern) => matchesPattern(change, pattern)),
      );
      const processed =
        matching.length === 0
          ? batch.length
          : countProcessedInBatch(
              batch,
              matching,
              countProcessed(
                matching,
                await invoke(JSON.stringify(streamEvent(matching, streamName))),
                mapping.reportsFailures,
              ),
            );
      const lastProcessed = batch[processed - 1];
      if (lastProcessed) checkpoints?.set(shard, sequenceNumberOf(lastProcessed));
      // To read changes again that no pattern matches does nothing twice, and most changes are such.
      if (matching.length > 0) checkpoints?.save();
      position += processed;
      if (processed === batch.length) continue;
      size = Math.max(1, Math.floor(batch.length / 2));
      await sleep(ERROR_BACKOFF_MS);
    }
    return true;
  }

  /** Reads one shard once. Returns false if there may be more changes. */
  async function pollShard(shard: string, streamName: string): Promise<boolean> {
    const iterator =
      iterators.get(shard) ?? (await reader.iterator(shard, checkpoints?.get(shard) ?? undefined));
    // Removed until its changes are delivered. After an interruption, reading resumes at the checkpoint.
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
    let isIdle = true;
    for (const { id, parent } of shards) {
      // A parent shard holds earlier changes, so it must be finished first.
      if (!isOpen(id) || isOpen(parent)) continue;
      if (!(await pollShard(id, streamName))) isIdle = false;
    }
    if (isIdle) checkpoints.save();
    return isIdle;
  }

  async function runLoop(): Promise<void> {
    while (!stopping) {
      rounds += 1;
      try {
        if (await pollAllShards()) {
          idleRound = rounds;
          unchangedRounds += 1;
          const pause = sleep(pollPauseMs(unchangedRounds));
          await Promise.race([pause, new Promise<void>((resolve) => (wake = resolve))]);
        } else {
          unchangedRounds = 0;
        }
      } catch (error) {
        if (stopping) return;
        iterators.clear();
        rounds = Math.ceil(rounds / SHARD_REFRESH_POLLS) * SHARD_REFRESH_POLLS;
        log(
          `${mapping.logicalId}: reading the table stream failed, retrying in ${ERROR_BACKOFF_MS} ms: ${String(error)}`,
        );
        await sleep(ERROR_BACKOFF_MS);
      }
    }
  }

  const ended = runLoop();
  return {
    async whenCaughtUp() {
      // The current round may have read the shard before the change, so the next round must be idle.
      const requiredRound = rounds + 1;
      while (!stopping && idleRound < requiredRound) {
        wake();
        await sleep(CAUGHT_UP_CHECK_MS);
      }
    },
    async stop() {
      stopping = true;
      wake();
      await ended;
      checkpoints?.save();
    },
  };
}

/** The number of processed changes of a batch, given how many of the matching changes are processed. */
function countProcessedInBatch(batch: readonly Change[], matching: readonly Change[], count: number): number {
  const next = matching[count];
  return next === undefined ? batch.length : batch.indexOf(next);
}
