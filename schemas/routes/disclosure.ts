/**
 * What a response or an event tells about recorded calls. Suppression (k = 5) must hold for all of them together, because
 * figures from different routes can be subtracted: docs/decisions/k-anonymity.md has the list.
 */
export const disclosures = [
  /** No figure about recorded calls, except those that the caller itself sends. */
  'none',
  /** The work of the service: counts of messages and jobs, times of processing. No cost, usage, owner or person. */
  'operation',
  /** Sums of whole cohorts, for every caller. */
  'cohorts',
  /** Sums of whole cohorts. A caller with `read:attribution` also gets sums and rows of any other set of calls. */
  'cohorts_or_records',
  /** Single records, or figures of any set of calls. Requires `read:attribution`. */
  'records',
] as const;
/** The scope that shows single records. A caller that has it learns nothing more from an exact sum. */
export const RECORDS_SCOPE = 'read:attribution';

export type Disclosure = (typeof disclosures)[number];
