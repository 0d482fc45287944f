import * as z from 'zod';
import { type FilterField, filterParameters } from '../filters.ts';
import { CallStatus, PathwayCategory } from '../ingest/invocationEvent.ts';
import { CONFIDENCE_CEILING, DayOrInstant, DecimalString, label } from '../values.ts';
import { Interpretation, OutputState } from './attributionRecord.ts';
import { CostUnknown } from './unknownCost.ts';

const Confidence = z
  .string()
  .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a decimal from 0 to 1')
  .meta({
    id: 'ConfidenceBound',
    description: `From 0 to 1, at most 6 digits. Records have at most ${CONFIDENCE_CEILING}`,
    example: '0.8',
  });

const InvocationId = z
  .string()
  .regex(/^inv_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be the id of an invocation')
  .meta({ example: 'inv_k3v7q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' });

const Label = label(256);
const ShortLabel = label(64);
const { stage_origin: StageOrigin, confidence_band: ConfidenceBand } = Interpretation.shape;

const word = ['eq', 'ne', 'in'] as const;
const text = [...word, 'contains', 'exists'] as const;
const number = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

/** A field of a record that a list can be filtered by. */
export interface RecordFilter extends FilterField {
  /** The attribute of a ledger item that holds it. A short name, because it is stored with every item. */
  readonly attribute?: string;
  /** All versions of a record have the same value. */
  readonly isImmutable?: true;
  readonly isNumber?: true;
  /** Codes for long values. They must never change. A value without a code is stored unchanged. */
  readonly codes?: Readonly<Record<string, string>>;
  /** Items that were written before the field could be filtered lack its attribute, so that its absence decides nothing. */
  readonly isAbsentInOlderItems?: true;
  /** The index of sorted lists has it. Filters on other fields are checked on the record itself. */
  readonly isInSortIndex?: true;
}

/**
 * Each filter field, once: the query parameters, the attribute for conditions, and the column of the sort index follow from
 * it. Fields without an attribute are decided by the key: the time, and the invocation with its dedup claim. Of the time,
 * only `ne` is a filter, and all other operators are the period of the query.
 */
export const recordFilters = {
  occurred_at: { value: DayOrInstant, operators: number },
  cost_usd: {
    value: DecimalString,
    operators: [...number, 'exists'],
    attribute: 'cost',
    isNumber: true,
    isInSortIndex: true,
  },
  confidence: { value: Confidence, operators: number, attribute: 'cf', isNumber: true, isInSortIndex: true },
  owner: { value: Label, operators: text, attribute: 'ow', isInSortIndex: true },
  service: { value: Label, operators: text, attribute: 'sv', isInSortIndex: true },
  end_user: { value: Label, operators: text, attribute: 'eu', isAbsentInOlderItems: true },
  provider: { value: ShortLabel, operators: word, attribute: 'pr', isImmutable: true, isInSortIndex: true },
  served_model: {
    value: Label,
    operators: [...word, 'contains'],
    attribute: 'mo',
    isImmutable: true,
    isInSortIndex: true,
  },
  pathway_category: {
    value: PathwayCategory,
    operators: word,
    attribute: 'pa',
    isImmutable: true,
    isInSortIndex: true,
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
    value: OutputState,
    operators: word,
    attribute: 'os',
    isInSortIndex: true,
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
    value: ConfidenceBand,
    operators: word,
    attribute: 'cb',
    isInSortIndex: true,
    codes: { chargeback_ready: 'c', provisional: 'p', estimated: 'e' },
  },
  stage_origin: {
    value: StageOrigin,
    operators: word,
    attribute: 'so',
    isInSortIndex: true,
    codes: { stage_a: 'a', stage_b: 'b', stage_c: 'c' },
  },
  cost_unknown: {
    value: CostUnknown,
    operators: ['eq', 'ne'],
    attribute: 'cu',
    codes: {
      price_not_found: 'p',
      usage_missing: 'm',
      usage_inconsistent: 'i',
      unsupported_modality: 'u',
      out_of_range: 'o',
      implausible_cost: 'x',
    },
  },
  status: {
    value: CallStatus,
    operators: ['eq', 'ne'],
    attribute: 'st',
    isAbsentInOlderItems: true,
    codes: { ok: 'o', error: 'e', incomplete: 'i' },
  },
  invocation_id: { value: InvocationId, operators: word },
  trace_id: { value: ShortLabel, operators: word, attribute: 'tr', isImmutable: true },
} as const satisfies Readonly<Record<string, RecordFilter>>;
export type RecordFilterName = keyof typeof recordFilters;
export const recordFilterNames = Object.keys(recordFilters) as RecordFilterName[];

export const recordFilterParameters = filterParameters(recordFilters);
