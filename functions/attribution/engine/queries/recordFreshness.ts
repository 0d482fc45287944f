import type { Interpretation } from '../../../../schemas/attribution/attributionRecord.ts';

/**
 * A record as an answer shows it. `isStale`: calls of the tenant that were accepted are not recorded for longer than
 * promised. A record that was late at its source stays so.
 */
export const withFreshness = <Item extends { readonly interpretation: Interpretation }>(
  record: Item,
  isStale: boolean,
): Item =>
  isStale && record.interpretation.freshness === 'fresh'
    ? { ...record, interpretation: { ...record.interpretation, freshness: 'index_stale' } }
    : record;
