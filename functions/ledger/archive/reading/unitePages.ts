import type { LedgerReader, Version } from '../../records/ledger.store.ts';
import type { ArchivedPage } from './archivedVersions.ts';

type LedgerPage = Awaited<ReturnType<LedgerReader['read']>>;

/** A version with another end of its validity. Its attribution is still decoded on first access. */
export const endedAt = (version: Version, to: number | null): Version => ({
  key: version.key,
  validity: { ...version.validity, to },
  get attribution() {
    return version.attribution;
  },
});

/** The key of the version that follows a version of the same record. */
const nextKeyOf = ({ key, validity }: Version): string =>
  `${key.slice(0, -6)}${String(validity.version + 1).padStart(6, '0')}`;

/**
 * Unites what the table has examined of a range with what the files hold of the same part, each version once. A file has the
 * last word on its versions: no version changes after it is written. Only its end can be unknown to the file, when the next
 * version is newer than the file.
 */
export const unitePages = (stored: LedgerPage, archived: ArchivedPage, descending: boolean): LedgerPage => {
  const byKey = new Map(stored.versions.map((version) => [version.key, version]));
  const ends = new Map(stored.versions.map(({ key, validity }) => [key, validity.to]));
  for (const version of archived.versions) byKey.set(version.key, version);

  /** Without a row of its own in the table, a version ends where the next one starts. */
  const withEnd = (version: Version): Version => {
    if (version.validity.to !== null) return version;
    const to = ends.get(version.key) ?? byKey.get(nextKeyOf(version))?.validity.from ?? null;
    return to === null ? version : endedAt(version, to);
  };
  const precedes = (one: string, other: string): boolean => (descending ? one > other : one < other);

  const last = archived.last ?? stored.last;
  const versions = [...byKey.values()]
    .filter(({ key }) => last === null || !precedes(last, key))
    .sort((one, other) => (precedes(one.key, other.key) ? -1 : 1))
    .map(withEnd);
  return { versions, last, examined: (stored.examined ?? stored.versions.length) + archived.versions.length };
};
