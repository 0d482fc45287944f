import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { type FilterField, fieldValue, filterFields } from './filter.ts';

/** Where an item keeps what a filter reads. */
interface FilterMember {
  /** Short, since every item bears it in the table and in each index. */
  readonly attribute: string;
  /** Whether it is the same in all versions of a record. */
  readonly lasting: boolean;
  readonly number?: true;
  /** Short spellings of long values, which must never change: a value without one is kept as it is. */
  readonly codes?: Readonly<Record<string, string>>;
}

/** Null is a field no item keeps apart: an invocation is found by its claim. */
export const filterMembers: Readonly<Record<FilterField, FilterMember | null>> = {
  cost_usd: { attribute: 'cost', lasting: false, number: true },
  confidence: { attribute: 'cf', lasting: false, number: true },
  owner: { attribute: 'ow', lasting: false },
  service: { attribute: 'sv', lasting: false },
  provider: { attribute: 'pr', lasting: true },
  served_model: { attribute: 'mo', lasting: true },
  pathway_category: {
    attribute: 'pa',
    lasting: true,
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
    lasting: false,
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
    lasting: false,
    codes: { chargeback_ready: 'c', provisional: 'p', estimated: 'e' },
  },
  stage_origin: { attribute: 'so', lasting: false, codes: { stage_a: 'a', stage_b: 'b', stage_c: 'c' } },
  invocation_id: null,
  trace_id: { attribute: 'tr', lasting: true },
};

/** A value as items spell it. */
export const spelled = ({ codes }: FilterMember, value: string): string => {
  const code = codes === undefined ? undefined : new Map(Object.entries(codes)).get(value);
  return code ?? value;
};

export interface KeptMember {
  readonly attribute: string;
  readonly text: string;
  readonly number: boolean;
}

/** What an item keeps of a record for filters to read; null values are left out. */
export const keptMembers = (record: AttributionRecord): KeptMember[] =>
  filterFields.flatMap((field) => {
    const member = filterMembers[field];
    const value = fieldValue(record, field);
    if (member === null || value === null) return [];
    return [{ attribute: member.attribute, text: spelled(member, value), number: member.number === true }];
  });
