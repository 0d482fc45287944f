import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** How far each shard of a stream has been told; null of one that has been told to its end. */
const StoredCheckpoints = z.object({
  stream: z.string(),
  shards: z.record(z.string(), z.string().nullable()),
});

export interface Checkpoints {
  /** Undefined: nothing yet; null: everything, for good. */
  get(shard: string): string | null | undefined;
  set(shard: string, sequence: string | null): void;
}

/**
 * Remembers in a file how far a stream was told. What is written is there in full or not at all, so after a kill a batch
 * may be told twice and none is left out. Of a stream of another name, in a file that was kept, nothing is known.
 */
export function openCheckpoints(file: string, stream: string): Checkpoints {
  const stored = StoredCheckpoints.safeParse(readJsonFile(file));
  const shards = stored.success && stored.data.stream === stream ? stored.data.shards : {};
  mkdirSync(dirname(file), { recursive: true });
  return {
    get: (shard) => shards[shard],
    set(shard, sequence) {
      shards[shard] = sequence;
      writeFileSync(`${file}.new`, JSON.stringify({ stream, shards }));
      renameSync(`${file}.new`, file);
    },
  };
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
