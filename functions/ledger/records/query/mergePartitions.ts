import pMap from 'p-map';
import type { KeyRange, LedgerReader, Version } from '../ledger.store.ts';
import { keyAfter } from './versionAsOf.ts';

/** Partitions read in parallel. */
const CONCURRENCY = 32;

/** Number of versions that may still be examined. Readers subtract from it. */
export interface ReadBudget {
  left: number;
}

type MergeRequest = Pick<KeyRange, 'from' | 'to' | 'descending' | 'condition'> & {
  readonly tenantId: string;
  readonly partitions: readonly string[];
  /** Versions requested from all partitions together. */
  readonly wanted: number;
  readonly budget: ReadBudget;
};

/**
 * Versions read beyond a partition's share, to avoid a second read of an uneven one. Four items of 1 KB are one read unit.
 */
const EXTRA_VERSIONS = 4;

/** Reads one partition in chunks. */
const partitionReader = (ledger: LedgerReader, request: MergeRequest, partition: string, share: number) => {
  const { tenantId, descending, condition, budget } = request;
  let { from, to } = request;
  let buffer: readonly Version[] = [];
  let hasMore = true;
  let chunk = share;
  return {
    isUnread: (): boolean => buffer.length === 0 && hasMore,
    take: (): Version | undefined => {
      const [version] = buffer;
      buffer = buffer.slice(1);
      return version;
    },
    /** Key of the first version that was not returned yet; undefined at the end. */
    nextKey: (): string | undefined => buffer[0]?.key ?? (hasMore ? (descending ? to : from) : undefined),
    fill: async (): Promise<void> => {
      const range = { partition, from, to, descending, limit: chunk, condition };
      const { versions, last, examined = versions.length } = await ledger.read(tenantId, range);
      buffer = versions;
      budget.left -= examined;
      hasMore = last !== null;
      if (last !== null) [from, to] = descending ? [from, keyAfter(last, true)] : [keyAfter(last, false), to];
      // When the condition filters out more than half, the next read examines more.
      if (2 * versions.length < examined) chunk = Math.max(1, Math.min(2 * chunk, budget.left));
    },
  };
};

/**
 * Merges the versions of several partitions into one order. Every partition is read once before the first version is
 * returned. Further reads happen only while the budget lasts.
 */
export const mergePartitions = (ledger: LedgerReader, request: MergeRequest) => {
  const { partitions, descending, wanted, budget } = request;
  const share = Math.ceil(wanted / partitions.length) + (partitions.length > 1 ? EXTRA_VERSIONS : 0);
  budget.left += partitions.length * EXTRA_VERSIONS;
  const readers = partitions.map((partition) => partitionReader(ledger, request, partition, share));
  /** The reader with the next key in order. */
  const nextReader = () => {
    let first: { readonly reader: (typeof readers)[number]; readonly key: string } | undefined;
    for (const reader of readers) {
      const key = reader.nextKey();
      if (key === undefined) continue;
      if (first === undefined || key < first.key !== descending) first = { reader, key };
    }
    return first;
  };
  let hasStarted = false;
  return {
    /** The next version; undefined at the end or when the budget is used up. In the second case `nextKey` is defined. */
    next: async (): Promise<Version | undefined> => {
      for (;;) {
        const next = nextReader()?.reader;
        if (next === undefined || !next.isUnread()) return next?.take();
        if (hasStarted && budget.left <= 0) return undefined;
        // Fill all empty readers together: the others are needed soon.
        const unread = readers.filter((reader) => reader.isUnread());
        await pMap(unread, (reader) => reader.fill(), { concurrency: CONCURRENCY });
        hasStarted = true;
      }
    },
    /** Key of the first version that was not returned yet; undefined at the end. */
    nextKey: (): string | undefined => nextReader()?.key,
  };
};
