import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { AttributionRecord, Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../../schemas/attribution/explanation.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { RECORD_RETENTION_MONTHS } from '../../../schemas/platform/retention.ts';
import { withAnswers } from './answers.ts';
import type { Attribution } from './attribution.ts';
import { dictionaries, NEWEST_DICTIONARY } from './ledgerItemDictionary.ts';
import { endUserOf, StoredEvent } from './storedEvent.ts';

/**
 * Retention of a version in milliseconds: 25 months of 31 days, so that any 13 months can be compared with the year before.
 */
export const RETENTION_MILLISECONDS = RECORD_RETENTION_MONTHS * 31 * DAY_MS;

/**
 * Time after which DynamoDB may delete the row of a version, in milliseconds. A file of the archive holds the version by
 * then: rows in no file are kept longer, see `functions/ledger/archive/closing/keepRows.ts`.
 */
export const ROW_MILLISECONDS = 56 * DAY_MS;

/**
 * A version as a table item. Quantities and the trace id are separate attributes. Everything else is compressed, so
 * that an item fits into one write unit (1 KB).
 */
export interface LedgerItem {
  readonly cost: string | null;
  readonly energy: string | null;
  readonly carbon: string | null;
  readonly trace: string | null;
  readonly dictionary: number;
  readonly detail: Uint8Array;
}

/** The stored form of a version. Its answers and its end user follow from the rest, so they are derived when it is read. */
export const StoredAttribution = z
  .object({
    record: AttributionRecord.omit({ end_user: true }).extend({
      interpretation: Interpretation.omit({ answers: true }),
    }),
    explanation: Explanation,
    storedEvent: StoredEvent,
  })
  .transform(
    ({ record, explanation, storedEvent }): Attribution => ({
      record: withAnswers({ ...record, end_user: endUserOf(storedEvent) }, explanation),
      explanation,
      storedEvent,
    }),
  );

export const toLedgerItem = ({ record, explanation, storedEvent }: Attribution): LedgerItem => {
  const {
    cost_usd,
    energy_wh,
    carbon_gco2e,
    trace_id,
    tenant_id: _partition,
    end_user: _endUser,
    ...rest
  } = record;
  const { answers: _derived, ...interpretation } = record.interpretation;
  const text = JSON.stringify({ record: { ...rest, interpretation }, explanation, storedEvent });
  const dictionary = dictionaries[NEWEST_DICTIONARY];
  return {
    cost: cost_usd,
    energy: energy_wh,
    carbon: carbon_gco2e,
    trace: trace_id,
    dictionary: NEWEST_DICTIONARY,
    detail: deflateRawSync(text, dictionary === undefined ? {} : { dictionary }),
  };
};

/** Throws when the item does not hold a valid record, which means that the ledger was tampered with. */
export const fromLedgerItem = (item: LedgerItem, tenantId: string): Attribution => {
  const dictionary = dictionaries[item.dictionary];
  const text = inflateRawSync(item.detail, dictionary === undefined ? {} : { dictionary }).toString('utf8');
  const detail: { readonly record?: object } = JSON.parse(text);
  const uncompressed = {
    tenant_id: tenantId,
    cost_usd: item.cost,
    energy_wh: item.energy,
    carbon_gco2e: item.carbon,
    trace_id: item.trace,
  };
  const stored = { ...detail, record: { ...detail.record, ...uncompressed } };
  return StoredAttribution.parse(stored);
};
