import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeJsonFile } from '../jsonFile.ts';

/** The last processed sequence number of each shard. Null if the shard is closed and fully processed. */
const StoredCheckpoints = z.object({
  stream: z.string(),
  shards: z.record(z.string(), z.string().nullable()),
});

export interface Checkpoints {
  /** Undefined if nothing was processed yet. Null if the shard is closed and fully processed. */
  get(shard: string): string | null | undefined;
  set(shard: string, sequence: string | null): void;
  /** Writes what was set since the last time. Until then a kill makes the changes be read again. */
  save(): void;
}

/**
 * Keeps the checkpoints of a stream in a file. Writes are atomic, so after a kill a batch may be delivered twice, but none
 * is lost. Ignores a file that belongs to another stream.
 */
export function openCheckpoints(file: string, stream: string): Checkpoints {
  const stored = StoredCheckpoints.safeParse(readJsonFile(file));
  const shards = stored.success && stored.data.stream === stream ? stored.data.shards : {};
  let isSaved = true;
  return {
    get: (shard) => shards[shard],
    set(shard, sequence) {
      shards[shard] = sequence;
      isSaved = false;
    },
    save() {
      if (isSaved) return;
      writeJsonFile(file, { stream, shards });
      isSaved = true;
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
