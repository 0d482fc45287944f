import type { Version } from '../ledger.store.ts';
import { hasBegun, visibleAt } from './visibility.ts';

/** The record of a version, by its key: what stands before the version's number. */
const recordOf = (key: string): string => key.slice(0, key.lastIndexOf('#'));

/** The bound of the keys that are left once a record has been passed: next to all its versions, beside every other record. */
export const pastRecord = (key: string, descending: boolean): string =>
  `${recordOf(key)}${descending ? '!' : '~'}`;

/** The bound of the keys that are left behind one. Keys end in digits, so that nothing lies between. */
export const pastKey = (key: string, descending: boolean): string =>
  descending ? `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}~` : `${key}!`;

/**
 * Chooses, from versions in the order of a walk, the one of each record that held at `asOf`: the newest that had begun.
 * Exactly one of each, whatever is corrected meanwhile. A read may meet a correction half done, its two writes one
 * without the other, or begin before it and go on behind it; so the choice never rests on a version's end alone, and
 * a record that was passed stays passed.
 */
export const versionChoice = (asOf: number, descending: boolean) => {
  let passed: string | undefined;
  /** On the way up: the newest that had begun so far, which says that a newer one took its place. */
  let standing: Version | undefined;

  const settle = (): Version[] => {
    if (standing === undefined) return [];
    const settled = standing;
    passed = recordOf(settled.key);
    standing = undefined;
    return [settled];
  };

  return {
    /** What is chosen now that this version has come. */
    offer: (version: Version): Version[] => {
      const record = recordOf(version.key);
      if (record === passed) return [];
      const left = standing !== undefined && recordOf(standing.key) !== record ? settle() : [];
      if (!hasBegun(version.validity, asOf)) return descending ? left : [...left, ...settle()];
      standing = version;
      return descending || visibleAt(version.validity, asOf) ? [...left, ...settle()] : left;
    },
    /** What is chosen when no other version comes. */
    end: settle,
    /** Behind which place another version can only be another record's; undefined when nothing is left to choose. */
    pending: (): string | undefined => standing && pastRecord(standing.key, descending),
    /** Where a walk that stops at this version, the last that was offered, goes on. */
    resume: ({ key }: Version): string => {
      if (standing !== undefined) return standing.key;
      return passed === recordOf(key) || !descending ? pastRecord(key, descending) : pastKey(key, descending);
    },
  };
};
