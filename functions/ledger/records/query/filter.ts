import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import {
  type RecordFilterName,
  recordFilterNames,
  recordFilters,
} from '../../../../schemas/attribution/recordFilters.ts';
import { type FilterOperator, filterOperators } from '../../../../schemas/filters.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { intervalOf } from '../../../platform/shared/time/intervalOf.ts';

/** One condition on a record. Values are the strings of the query. All operators except `in` have one value. */
export interface Filter<Field extends string = RecordFilterName> {
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
    // The bare field, which comes first, means equality.
    [field, ...filterOperators.map((operator) => `${field}[${operator}]`)].flatMap((name, index) => {
      const value = given.get(name);
      const operator = filterOperators[index - 1] ?? 'eq';
      if (value === undefined || (field === 'occurred_at' && operator !== 'ne')) return [];
      return [{ field, operator, values: [value].flat().map(String) }];
    }),
  );
};

/** The value of a field as a string. Decimals have no exponent. */
export const fieldValue = (record: AttributionRecord, field: RecordFilterName): string | null => {
  const { interpretation } = record;
  switch (field) {
    case 'confidence':
      return decimal(String(interpretation.confidence)).toFixed();
    case 'confidence_band':
      return interpretation.confidence_band;
    case 'stage_origin':
      return interpretation.stage_origin;
    case 'cost_unknown':
      return interpretation.unknown?.cost ?? null;
    default:
      return record[field];
  }
};

const decimals: ReadonlySet<string> = new Set(
  recordFilterNames.filter((name) => 'isNumber' in recordFilters[name]),
);

const isEqual = (field: string, value: string, operand: string): boolean => {
  if (field === 'occurred_at') {
    const bound = intervalOf(operand);
    return bound !== null && Date.parse(value) >= bound.from && Date.parse(value) < bound.to;
  }
  return decimals.has(field) ? decimal(value).eq(operand) : value === operand;
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
