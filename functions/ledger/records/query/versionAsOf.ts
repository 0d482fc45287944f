import type { Version } from '../ledger.store.ts';
import { hasBegun, isVisibleAt } from './visibility.ts';

/** The part of a key before the version number, which identifies the record. */
const recordPrefixOf = (key: string): string => key.slice(0, key.lastIndexOf('#'));

/** The next key after all versions of a record, and before any other record, in the order of the list. */
export const keyAfterRecord = (key: string, descending: boolean): string =>
  `${recordPrefixOf(key)}${descending ? '!' : '~'}`;

/** The next key after a given one in the order of the list. Keys end in digits, so no key lies between the two. */
export const keyAfter = (key: string, descending: boolean): string =>
  descending ? `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}~` : `${key}!`;

/**
 * Selects one version of each record from versions in list order: the newest that had begun at `asOf`. It selects exactly
 * one, even when a correction is written at the same time. A read may see only one of the two writes of a correction, or
 * start before it and continue after it. Therefore the selection never depends only on the end of a version, and a
 * completed record is never selected again.
 */
export const versionAsOfSelector = (asOf: number, descending: boolean) => {
  let completedRecord: string | undefined;
  /** In ascending order: the newest version so far that had begun and was superseded later. */
  let candidate: Version | undefined;

  const emitCandidate = (): Version[] => {
    if (candidate === undefined) return [];
    const selected = candidate;
    completedRecord = recordPrefixOf(selected.key);
    candidate = undefined;
    return [selected];
  };

  return {
    /** Adds the next version. Returns the versions that are selected now. */
    add: (version: Version): Version[] => {
      const record = recordPrefixOf(version.key);
      if (record === completedRecord) return [];
      const completed =
        candidate !== undefined && recordPrefixOf(candidate.key) !== record ? emitCandidate() : [];
      if (!hasBegun(version.validity, asOf))
        return descending ? completed : [...completed, ...emitCandidate()];
      candidate = version;
      return descending || isVisibleAt(version.validity, asOf)
        ? [...completed, ...emitCandidate()]
        : completed;
    },
    /** Ends the input. Returns the versions that are selected now. */
    end: emitCandidate,
    /** The key after the last possible version of the candidate's record; undefined without a candidate. */
    pending: (): string | undefined => candidate && keyAfterRecord(candidate.key, descending),
    /** The resume key for a list that stops at this version, which must be the last one added. */
    resume: ({ key }: Version): string => {
      if (candidate !== undefined) return candidate.key;
      return completedRecord === recordPrefixOf(key) || !descending
        ? keyAfterRecord(key, descending)
        : keyAfter(key, descending);
    },
  };
};
