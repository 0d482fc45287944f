import pMap from 'p-map';
import type { KeyRange, LedgerReader, Version } from '../ledger.store.ts';
import { keyAfter } from './versionAsOf.ts';

/** Partitions read at once. */
const CONCURRENCY = 32;

/** Versions that may still be looked at; readers take from it. */
export interface ReadBudget {
  left: number;
}

type MergeRequest = Pick<KeyRange, 'from' | 'to' | 'descending' | 'order' | 'condition'> & {
  readonly tenantId: string;
  readonly partitions: readonly string[];
  /** Versions wanted from all partitions together. */
  readonly wanted: number;
  readonly budget: ReadBudget;
};

/** Read beyond a partition's share, so that an uneven one need not be read twice: four items of 1 KB are one read unit. */
const EXTRA_VERSIONS = 4;

/** One partition, read a few versions at a time. */
const partitionReader = (ledger: LedgerReader, request: MergeRequest, partition: string, share: number) => {
  const { tenantId, descending, order, condition, budget } = request;
  let { from, to } = request;
  let buffer: readonly Version[] = [];
  let more = true;
  let chunk = share;
  return {
    isUnread: (): boolean => buffer.length === 0 && more,
    take: (): Version | undefined => {
      const [version] = buffer;
      buffer = buffer.slice(1);
      return version;
    },
    /** Where what was not handed out begins; undefined when nothing is left. */
    place: (): string | undefined => buffer[0]?.key ?? (more ? (descending ? to : from) : undefined),
    fill: async (): Promise<void> => {
      const stretch = { partition, from, to, descending, limit: chunk, order, condition };
      const { versions, last, examined = versions.length } = await ledger.read(tenantId, stretch);
      buffer = versions;
      budget.left -= examined;
      more = last !== null;
      if (last !== null) [from, to] = descending ? [from, keyAfter(last, true)] : [keyAfter(last, false), to];
      // Where little of what is looked at is handed out, the next read looks at more.
      if (2 * versions.length < examined) chunk = Math.max(1, Math.min(2 * chunk, budget.left));
    },
  };
};

/**
 * The versions of several partitions in one order. Every partition is read once before any version is handed out; from
 * then on only while the budget lasts.
 */
export const mergePartitions = (ledger: LedgerReader, request: MergeRequest) => {
  const { partitions, descending, wanted, budget } = request;
  const share = Math.ceil(wanted / partitions.length) + (partitions.length > 1 ? EXTRA_VERSIONS : 0);
  budget.left += partitions.length * EXTRA_VERSIONS;
  const readers = partitions.map((partition) => partitionReader(ledger, request, partition, share));
  /** The partition whose versions, or whatever has not been read of it, come next. */
  const nextReader = () => {
    let found: { readonly reader: (typeof readers)[number]; readonly place: string } | undefined;
    for (const reader of readers) {
      const place = reader.place();
      if (place === undefined) continue;
      if (found === undefined || place < found.place !== descending) found = { reader, place };
    }
    return found;
  };
  let hasStarted = false;
  return {
    /** The next version; undefined at the end, or where the budget ends: there is a place then to go on from. */
    next: async (): Promise<Version | undefined> => {
      for (;;) {
        const next = nextReader()?.reader;
        if (next === undefined || !next.isUnread()) return next?.take();
        if (hasStarted && budget.left <= 0) return undefined;
        // The others that have run out are next before long.
        const unread = readers.filter((reader) => reader.isUnread());
        await pMap(unread, (reader) => reader.fill(), { concurrency: CONCURRENCY });
        hasStarted = true;
      }
    },
    /** Where what was not handed out begins; undefined when nothing is left. */
    place: (): string | undefined => nextReader()?.place,
  };
};
