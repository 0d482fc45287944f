import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../schemas/attribution/explanation.ts';
import type { Attribution } from './attribution.ts';
import { dictionaries, NEWEST_DICTIONARY } from './ledgerItemDictionary.ts';
import { StoredEvent } from './storedEvent.ts';

/** How long a version is kept, in milliseconds: 25 months of 31 days, so that any 13 months can be compared with the year before. */
export const RETENTION_MILLISECONDS = 25 * 31 * 24 * 60 * 60 * 1_000;

/** A version as an item: what cannot be compressed beside the rest that is, to stay within one write unit (1 KB). */
export interface LedgerItem {
  readonly cost: string | null;
  readonly energy: string | null;
  readonly carbon: string | null;
  readonly trace: string | null;
  readonly dictionary: number;
  readonly detail: Uint8Array;
}

const StoredDetail = z.object({
  record: AttributionRecord.omit({
    cost_usd: true,
    energy_wh: true,
    carbon_gco2e: true,
    tenant_id: true,
    trace_id: true,
  }),
  explanation: Explanation,
  kept: StoredEvent.default({}),
});

export const toLedgerItem = ({ record, explanation, kept }: Attribution): LedgerItem => {
  const { cost_usd, energy_wh, carbon_gco2e, trace_id, tenant_id: _partition, ...rest } = record;
  const text = JSON.stringify({ record: rest, explanation, kept });
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

/** Throws when the item does not hold a record, which would mean the ledger was tampered with. */
export const fromLedgerItem = (item: LedgerItem, tenantId: string): Attribution => {
  const dictionary = dictionaries[item.dictionary];
  const text = inflateRawSync(item.detail, dictionary === undefined ? {} : { dictionary }).toString('utf8');
  const { record, explanation, kept } = StoredDetail.parse(JSON.parse(text));
  const uncompressed = {
    tenant_id: tenantId,
    cost_usd: item.cost,
    energy_wh: item.energy,
    carbon_gco2e: item.carbon,
    trace_id: item.trace,
  };
  return { record: AttributionRecord.parse({ ...record, ...uncompressed }), explanation, kept };
};
