import pMap from 'p-map';
import { memoizeAsync } from '../../../platform/shared/caches/memoizeAsync.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { KeyRange, Version } from '../../records/ledger.store.ts';
import { partsOfPartition, recordPartitionOf, versionKeyOf } from '../../records/ledgerKey.ts';
import type { ArchiveDirectory } from '../archiveDirectory.store.ts';
import { type ArchivedDay, type ArchiveManifest, expiryOfDay, parseManifest } from '../archivedDay.ts';
import { ArchiveFileReplaced } from '../archiveFileReplaced.ts';
import type { ArchiveFiles } from '../archiveFiles.ts';
import type { ArchiveReader } from '../archiveObjects.store.ts';
import type { ArchivedRow } from '../files/readArchiveFile.ts';
import { coldUntil } from '../hotDays.ts';

/** Manifests that a process remembers. A manifest never changes. */
const MANIFESTS_CAPACITY = 256;
/** Small days that are read together: a tenant with few calls has a file for each day. */
const DAYS_AT_ONCE = 16;
/** Records read in parallel. */
const RECORDS_AT_ONCE = 8;
/** A day that is replaced during a read is read again. It is replaced at most once a night. */
const ATTEMPTS = 3;

type ArchivedRange = Pick<KeyRange, 'partition' | 'from' | 'to' | 'descending' | 'limit'>;

/** Versions in order of their keys. `last` is the key of the last one when the range continues after it. */
export interface ArchivedPage {
  readonly versions: readonly Version[];
  readonly last: string | null;
}

/** The versions in the files of closed days, as the ledger reads them. */
export interface ArchivedVersions {
  /** Whether the row of a call of this time (epoch milliseconds) may have left the table. */
  readonly isCold: (time: number) => boolean;
  /**
   * The versions of a range of keys in cold days. Read the table first: a row leaves it after its file is in the directory.
   */
  readonly read: (tenantId: string, range: ArchivedRange) => Promise<ArchivedPage>;
  /** All versions of cold records, ascending, by ULID. Records without a file are left out. */
  readonly records: (
    tenantId: string,
    ulids: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly Version[]>>;
  /** Whether a cold record is in a file. */
  readonly has: (tenantId: string, ulid: string) => Promise<boolean>;
}

interface IdRange {
  readonly first: string;
  readonly last: string;
}

const overlaps = ({ first, last }: IdRange, { from, to }: ArchivedRange): boolean =>
  ulidInId(first) <= to && `${ulidInId(last)}~` >= from;

const inOrder = <Item>(items: readonly Item[], descending: boolean): readonly Item[] =>
  descending ? items.toReversed() : items;

/** The versions of a row group. It holds all versions of its records, so a version ends where the next one starts. */
const versionsOf = (rows: readonly ArchivedRow[]): Version[] =>
  rows.map((row, index) => {
    const next = rows[index + 1];
    return {
      key: versionKeyOf(ulidInId(row.id), row.version),
      validity: { version: row.version, from: row.from, to: next?.id === row.id ? next.from : null },
      get attribution() {
        return row.read();
      },
    };
  });

/** The number of next days that are read together: until they have more than `limit` versions, those of all shards. */
const daysFor = (limit: number, days: readonly ArchivedDay[]): number => {
  let [count, versions] = [0, 0];
  for (const day of days.slice(0, DAYS_AT_ONCE)) {
    if (versions > limit) break;
    versions += day.versions;
    count += 1;
  }
  return count;
};

/** Repeats a read of files that were replaced after the directory was read. */
const withCurrentFiles = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ArchiveFileReplaced) || attempt === ATTEMPTS) throw error;
    }
  }
};

export const archivedVersions = (stores: {
  readonly directory: ArchiveDirectory;
  readonly objects: ArchiveReader;
  readonly clock: Clock;
}): ArchivedVersions => {
  const { directory, objects, clock } = stores;
  const manifests = memoizeAsync<ArchiveManifest>(MANIFESTS_CAPACITY);
  let opened: Promise<ArchiveFiles> | undefined;

  /** Loaded on first use: the Parquet library is needed for old records only. */
  const openFiles = (): Promise<ArchiveFiles> => {
    opened ??= import('../archiveFiles.ts').then(({ archiveFiles }) => archiveFiles(objects));
    return opened;
  };
  const manifestOf = ({ manifest }: ArchivedDay): Promise<ArchiveManifest> =>
    manifests(manifest, async () => {
      const body = await objects.get(manifest);
      if (body === null) throw new ArchiveFileReplaced(`the archive has no manifest ${manifest}`);
      return parseManifest(body);
    });

  /** The first versions of a range in one day: at least `limit`, or all. */
  const readDay = async (tenantId: string, day: ArchivedDay, range: ArchivedRange): Promise<Version[]> => {
    const { from, to, descending, limit } = range;
    const { shard } = partsOfPartition(range.partition);
    const { files } = await manifestOf(day);
    const reader = await openFiles();
    const found: Version[] = [];
    const holdsShard = (ids: IdRange & { readonly shard: number }): boolean =>
      ids.shard === shard && overlaps(ids, range);
    for (const file of inOrder(
      files.filter(({ ids }) => ids.some(holdsShard)),
      descending,
    )) {
      const groups = (await reader.groups(file, shard)).filter((group) => overlaps(group, range));
      for (const group of inOrder(groups, descending)) {
        const versions = versionsOf(await reader.rows(file, group, tenantId));
        found.push(
          ...inOrder(
            versions.filter(({ key }) => key >= from && key <= to),
            descending,
          ),
        );
        if (found.length >= limit) return found;
      }
    }
    return found;
  };

  /** The closed days of a period (epoch milliseconds, both ends included) whose rows may have left the table. */
  const coldDays = async (tenantId: string, from: number, to: number): Promise<readonly ArchivedDay[]> => {
    const until = Math.min(to, coldUntil(clock()));
    if (from > until) return [];
    const days = await directory.list(tenantId, utcDateOf(from), utcDateOf(until));
    return days.filter(({ day }) => expiryOfDay(day) > clock() / 1_000);
  };

  const readDays = async (
    tenantId: string,
    days: readonly ArchivedDay[],
    range: ArchivedRange,
  ): Promise<ArchivedPage> => {
    const { descending, limit } = range;
    const versions: Version[] = [];
    const remaining = [...inOrder(days, descending)];
    while (remaining.length > 0 && versions.length <= limit) {
      const batch = remaining.splice(0, daysFor(limit, remaining));
      // One more than requested shows whether the range continues.
      const parts = await pMap(batch, (day) => readDay(tenantId, day, { ...range, limit: limit + 1 }));
      versions.push(...parts.flat());
    }
    const last = versions.length > limit ? (versions[limit - 1]?.key ?? null) : null;
    return { versions: versions.slice(0, limit), last };
  };

  const recordRange = (tenantId: string, ulid: string): ArchivedRange => ({
    partition: recordPartitionOf({ tenant_id: tenantId }, ulid),
    from: `${ulid}#`,
    to: `${ulid}#~`,
    descending: false,
    limit: Number.POSITIVE_INFINITY,
  });

  const records: ArchivedVersions['records'] = (tenantId, ulids) =>
    withCurrentFiles(async () => {
      const times = ulids.map(timeOfUlid);
      if (times.length === 0) return new Map();
      const days = await coldDays(tenantId, Math.min(...times), Math.max(...times));
      const byDay = new Map(days.map((day) => [day.day, day]));
      const found = await pMap(
        new Set(ulids),
        async (ulid) => {
          const day = byDay.get(utcDateOf(timeOfUlid(ulid)));
          const versions = day === undefined ? [] : await readDay(tenantId, day, recordRange(tenantId, ulid));
          return versions.length === 0 ? [] : [[ulid, versions] as const];
        },
        { concurrency: RECORDS_AT_ONCE },
      );
      return new Map(found.flat());
    });

  return {
    isCold: (time) => time <= coldUntil(clock()),
    read: (tenantId, range) =>
      withCurrentFiles(async () => {
        const { month } = partsOfPartition(range.partition);
        const from = Math.max(timeOfUlid(range.from), startOfMonth(month));
        const to = Math.min(timeOfUlid(range.to), startOfNextMonth(month) - 1);
        return readDays(tenantId, await coldDays(tenantId, from, to), range);
      }),
    records,
    has: async (tenantId, ulid) => (await records(tenantId, [ulid])).has(ulid),
  };
};
