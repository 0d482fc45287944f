import { readFileSync, writeFileSync } from 'node:fs';
import type {
  FileStore,
  PresignUrl,
  WorkStore,
} from '../../../functions/chargeback/exports/files/file.store.ts';

/** A put that fails before it takes effect, or after it took effect when the response is lost. */
export interface BucketFault {
  readonly put: number;
  readonly moment: 'before' | 'after';
}

/** In-memory buckets. A fault selects the put that fails, counted from the time it is armed. */
export const simulatedBuckets = () => {
  const work = new Map<string, Buffer>();
  const files = new Map<string, Buffer>();
  let puts: string[] = [];
  let armed: BucketFault | undefined;

  const put = (bucket: Map<string, Buffer>, key: string, bytes: Buffer): void => {
    const fault = armed?.put === puts.length ? armed : undefined;
    puts.push(key);
    if (fault?.moment === 'before') throw new Error('the bucket does not respond');
    bucket.set(key, bytes);
    if (fault?.moment === 'after') throw new Error('the bucket does not respond');
  };
  const read = (key: string): Buffer => {
    const bytes = work.get(key);
    if (bytes === undefined) throw new Error(`no object with key ${key}`);
    return bytes;
  };

  const workStore: WorkStore = {
    put: async (key, text) => put(work, key, Buffer.from(text)),
    get: async (key) => read(key).toString('utf8'),
    putFile: async (key, path) => put(work, key, readFileSync(path)),
    getFile: async (key, path) => writeFileSync(path, read(key)),
  };
  const fileStore: FileStore = {
    put: async ({ key }, text) => put(files, key, Buffer.from(text)),
    putFile: async ({ key }, path) => put(files, key, readFileSync(path)),
  };
  const sign: PresignUrl = async (key, seconds) => `https://files.example.com/${key}?seconds=${seconds}`;

  return {
    work: workStore,
    files: fileStore,
    sign,
    /** Result files by key. */
    stored: files,
    workObjects: work,
    arm: (fault: BucketFault | undefined) => {
      [armed, puts] = [fault, []];
    },
    /** The keys of the puts since a fault was armed. */
    puts: (): readonly string[] => puts,
  };
};
