import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { type FilterField, fieldValue, filterFields } from './filter.ts';

/** The item attribute that a filter reads. */
interface FilterAttribute {
  /** A short name, because it is stored with every item. */
  readonly attribute: string;
  /** Whether all versions of a record have the same value. */
  readonly immutable: boolean;
  readonly number?: true;
  /** Codes for long values. They must never change. A value without a code is stored unchanged. */
  readonly codes?: Readonly<Record<string, string>>;
}

/**
 * The attribute of each filter field. Null where the key decides: for the time, and for an invocation with its dedup claim.
 */
export const filterAttributes: Readonly<Record<FilterField, FilterAttribute | null>> = {
  occurred_at: null,
  cost_usd: { attribute: 'cost', immutable: false, number: true },
  confidence: { attribute: 'cf', immutable: false, number: true },
  owner: { attribute: 'ow', immutable: false },
  service: { attribute: 'sv', immutable: false },
  provider: { attribute: 'pr', immutable: true },
  served_model: { attribute: 'mo', immutable: true },
  pathway_category: {
    attribute: 'pa',
    immutable: true,
    codes: {
      application_direct: 'd',
      gateway_mediated: 'g',
      proxy_observed: 'p',
      agent_workflow: 'a',
      batch_pipeline: 'b',
      embedded_saas: 's',
    },
  },
  output_state: {
    attribute: 'os',
    immutable: false,
    codes: {
      deterministically_resolved: 'd',
      strongly_inferred: 's',
      weakly_inferred: 'w',
      allocated: 'a',
      manually_overridden: 'm',
      unresolved: 'u',
    },
  },
  confidence_band: {
    attribute: 'cb',
    immutable: false,
    codes: { chargeback_ready: 'c', provisional: 'p', estimated: 'e' },
  },
  stage_origin: { attribute: 'so', immutable: false, codes: { stage_a: 'a', stage_b: 'b', stage_c: 'c' } },
  invocation_id: null,
  trace_id: { attribute: 'tr', immutable: true },
};

/** The code of a value, or the value itself. */
export const encodeValue = ({ codes }: FilterAttribute, value: string): string => {
  const code = codes === undefined ? undefined : new Map(Object.entries(codes)).get(value);
  return code ?? value;
};

export interface FilterValue {
  readonly attribute: string;
  readonly text: string;
  readonly number: boolean;
}

/** The filter attributes of a record's item. Null values are left out. */
export const toFilterValues = (record: AttributionRecord): FilterValue[] =>
  filterFields.flatMap((field) => {
    const member = filterAttributes[field];
    const value = fieldValue(record, field);
    if (member === null || value === null) return [];
    return [
      { attribute: member.attribute, text: encodeValue(member, value), number: member.number === true },
    ];
  });
