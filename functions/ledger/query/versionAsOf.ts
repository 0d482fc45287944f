import type { Version } from '../ledger.store.ts';
import { hasBegun, isVisibleAt } from './visibility.ts';

/** The record of a version, by its key: what stands before the version's number. */
const recordPrefixOf = (key: string): string => key.slice(0, key.lastIndexOf('#'));

/** The bound of the keys that are left once a record has been passed: next to all its versions, beside every other record. */
export const keyAfterRecord = (key: string, descending: boolean): string =>
  `${recordPrefixOf(key)}${descending ? '!' : '~'}`;

/** The bound of the keys that are left behind one. Keys end in digits, so that nothing lies between. */
export const keyAfter = (key: string, descending: boolean): string =>
  descending ? `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}~` : `${key}!`;

/**
 * Chooses, from versions in the order of a walk, the one of each record that held at `asOf`: the newest that had begun.
 * Exactly one of each, whatever is corrected meanwhile. A read may meet a correction half done, its two writes one
 * without the other, or begin before it and go on behind it; so the choice never rests on a version's end alone, and
 * a record that was passed stays passed.
 */
export const versionAsOfSelector = (asOf: number, descending: boolean) => {
  let completedRecord: string | undefined;
  /** On the way up: the newest that had begun so far, which says that a newer one took its place. */
  let candidate: Version | undefined;

  const emitCandidate = (): Version[] => {
    if (candidate === undefined) return [];
    const chosen = candidate;
    completedRecord = recordPrefixOf(chosen.key);
    candidate = undefined;
    return [chosen];
  };

  return {
    /** What is chosen now that this version has come. */
    offer: (version: Version): Version[] => {
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
    /** What is chosen when no other version comes. */
    end: emitCandidate,
    /** Behind which place another version can only be another record's; undefined when nothing is left to choose. */
    pending: (): string | undefined => candidate && keyAfterRecord(candidate.key, descending),
    /** Where a walk that stops at this version, the last that was offered, goes on. */
    resume: ({ key }: Version): string => {
      if (candidate !== undefined) return candidate.key;
      return completedRecord === recordPrefixOf(key) || !descending
        ? keyAfterRecord(key, descending)
        : keyAfter(key, descending);
    },
  };
};
