import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { decimal } from '../../../platform/shared/decimal.ts';

/**
 * Fields a list can be filtered by. Of the time, only `ne` is a filter: all other operators are the period of the query.
 */
export const filterFields = [
  'occurred_at',
  'cost_usd',
  'confidence',
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'output_state',
  'confidence_band',
  'stage_origin',
  'invocation_id',
  'trace_id',
] as const;
export type FilterField = (typeof filterFields)[number];

const operators = ['eq', 'ne', 'in', 'contains', 'exists', 'gt', 'gte', 'lt', 'lte'] as const;
export type FilterOperator = (typeof operators)[number];

/** One condition on a record. Values are the strings of the query. All operators except `in` have one value. */
export interface Filter<Field extends string = FilterField> {
  readonly field: Field;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

/** The filters of these fields among the parameters of a query, such as `owner[in]`. All of them must match. */
export const parseFilters = <Field extends string>(
  query: object,
  fields: readonly Field[],
): Filter<Field>[] => {
  const given = new Map<string, unknown>(Object.entries(query));
  return fields.flatMap((field) =>
    [field, ...operators.map((operator) => `${field}[${operator}]`)].flatMap((name, index) => {
      const value = given.get(name);
      // The bare field, which comes first, means equality.
      const operator = operators[index - 1] ?? 'eq';
      if (value === undefined || (field === 'occurred_at' && operator !== 'ne')) return [];
      return [{ field, operator, values: [value].flat().map(String) }];
    }),
  );
};

/** The value of a field as a string. Decimals have no exponent. */
export const fieldValue = (record: AttributionRecord, field: FilterField): string | null => {
  const { interpretation } = record;
  switch (field) {
    case 'confidence':
      return decimal(String(interpretation.confidence)).toFixed();
    case 'confidence_band':
      return interpretation.confidence_band;
    case 'stage_origin':
      return interpretation.stage_origin;
    default:
      return record[field];
  }
};

const isDecimal = (field: string): boolean => field === 'cost_usd' || field === 'confidence';

const isEqual = (field: string, value: string, operand: string): boolean => {
  if (field === 'occurred_at') return Date.parse(value) === Date.parse(operand);
  return isDecimal(field) ? decimal(value).eq(operand) : value === operand;
};

/** Whether a value of the filter's field matches. */
export const matchesFilter = ({ field, operator, values }: Filter<string>, value: string | null): boolean => {
  const [operand = ''] = values;
  if (operator === 'exists') return String(value !== null) === operand;
  // Each record matches either `eq` or `ne`, so the costs of both add up to the whole.
  if (value === null) return operator === 'ne';
  switch (operator) {
    case 'eq':
      return isEqual(field, value, operand);
    case 'ne':
      return !isEqual(field, value, operand);
    case 'in':
      return values.includes(value);
    case 'contains':
      return value.includes(operand);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return decimal(value)[operator](operand);
  }
};

/** Whether a record matches all filters. */
export const matchesAll = (filters: readonly Filter[], record: AttributionRecord): boolean =>
  filters.every((filter) => matchesFilter(filter, fieldValue(record, filter.field)));
