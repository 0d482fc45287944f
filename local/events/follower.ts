import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { InvocationResult } from '../lambda/sandbox.ts';
import type { StreamMappingDeclaration } from '../template/streams.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import { matches } from './matches.ts';
import { type Change, type Shard, type StreamReader, streamEvent } from './streamReader.ts';

export interface FollowerOptions {
  mapping: StreamMappingDeclaration;
  reader: StreamReader;
  /** Where it is remembered how far the stream was told. */
  file: string;
  invoke: (event: string) => Promise<InvocationResult>;
  log: (line: string) => void;
}

export interface Follower {
  /** Resolves when everything was told that had changed when this was asked, or at a stop. */
  settled(): Promise<void>;
  /** Reads no more and waits for what is being told. */
  stop(): Promise<void>;
}

/** As often as Lambda looks. */
const LOOK_EVERY_MS = 250;
const FAULT_PAUSE_MS = 1000;
/** Looks between which the engine may split a shard unnoticed. */
const SHARDS_EVERY = 40;
const SETTLED_STEP_MS = 5;

const Report = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullable();

const sequenceOf = ({ dynamodb }: Change): string => dynamodb.SequenceNumber;

/** How many changes of a batch, from its beginning, an invocation has done with. */
function done(batch: readonly Change[], result: InvocationResult, reportsFailures: boolean): number {
  if (!result.ok) return 0;
  const report = reportsFailures ? Report.safeParse(JSON.parse(result.payload)) : undefined;
  if (report && !report.success) return 0;
  const failed = new Set(report?.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  if (failed.size === 0) return batch.length;
  // A report that names no change of the batch fails all of it.
  return Math.max(
    0,
    batch.findIndex((change) => failed.has(sequenceOf(change))),
  );
}

/**
 * Tells a function of the changes of a table as an event source mapping does: shard by shard, each in its order, a batch
 * again from the first change that failed. A failing batch is told in halves; a change that fails by itself holds up its
 * shard until it is done, and is never set aside: nobody here would look for it.
 */
export function startFollower(options: FollowerOptions): Follower {
  const { mapping, reader, file, invoke, log } = options;
  const iterators = new Map<string, string>();
  let checkpoints: Checkpoints | undefined;
  let shards: Shard[] = [];
  let rounds = 0;
  let quietRound = 0;
  let stopping = false;
  let poke = (): void => {};

  /** Tells of some changes; false when not all are done. */
  async function tell(shard: string, changes: readonly Change[], streamName: string): Promise<boolean> {
    let size = mapping.batchSize;
    for (let at = 0; at < changes.length; ) {
      if (stopping) return false;
      const batch = changes.slice(at, at + size);
      const wanted = batch.filter(
        (change) => mapping.patterns.length === 0 || mapping.patterns.some((one) => matches(change, one)),
      );
      const through =
        wanted.length === 0
          ? batch.length
          : throughIn(
              batch,
              wanted,
              done(
                wanted,
                await invoke(JSON.stringify(streamEvent(wanted, streamName))),
                mapping.reportsFailures,
              ),
            );
      const last = batch[through - 1];
      if (last) checkpoints?.set(shard, sequenceOf(last));
      at += through;
      if (through === batch.length) continue;
      size = Math.max(1, Math.floor(batch.length / 2));
      await sleep(FAULT_PAUSE_MS);
    }
    return true;
  }

  /** Looks at one shard once; false when there may be more. */
  async function look(shard: string, streamName: string): Promise<boolean> {
    const iterator =
      iterators.get(shard) ?? (await reader.iterator(shard, checkpoints?.of(shard) ?? undefined));
    // Gone until the changes it leads to are told: what interrupts that begins at the checkpoint.
    iterators.delete(shard);
    const { changes, next } = await reader.read(iterator, mapping.batchSize);
    if (!(await tell(shard, changes, streamName))) return false;
    if (next === undefined) checkpoints?.set(shard, null);
    else iterators.set(shard, next);
    return changes.length === 0;
  }

  async function round(): Promise<boolean> {
    const streamName = await reader.name();
    checkpoints ??= openCheckpoints(file, streamName);
    if (rounds % SHARDS_EVERY === 1) shards = await reader.shards();
    const isOpen = (id: string | undefined): boolean =>
      shards.some((shard) => shard.id === id) && checkpoints?.of(id ?? '') !== null;
    let isQuiet = true;
    for (const { id, parent } of shards) {
      // What a shard's parent tells came before.
      if (!isOpen(id) || isOpen(parent)) continue;
      if (!(await look(id, streamName))) isQuiet = false;
    }
    return isQuiet;
  }

  async function follow(): Promise<void> {
    while (!stopping) {
      rounds += 1;
      try {
        if (await round()) {
          quietRound = rounds;
          await Promise.race([sleep(LOOK_EVERY_MS), new Promise<void>((resolve) => (poke = resolve))]);
        }
      } catch (error) {
        if (stopping) return;
        iterators.clear();
        rounds = Math.ceil(rounds / SHARDS_EVERY) * SHARDS_EVERY;
        log(`${mapping.logicalId}: following failed, trying again: ${String(error)}`);
        await sleep(FAULT_PAUSE_MS);
      }
    }
  }

  const ended = follow();
  return {
    async settled() {
      // The round under way may have looked before.
      const wanted = rounds + 1;
      while (!stopping && quietRound < wanted) {
        poke();
        await sleep(SETTLED_STEP_MS);
      }
    },
    async stop() {
      stopping = true;
      poke();
      await ended;
    },
  };
}

/** How many changes of a batch are done when so many of those that passed the filter are. */
function throughIn(batch: readonly Change[], wanted: readonly Change[], count: number): number {
  const next = wanted[count];
  return next === undefined ? batch.length : batch.indexOf(next);
}
