import type { FilterOperator } from '../../../../schemas/filters.ts';
import type { Filter } from './filter.ts';
import { encodeValue, filterAttributeOf } from './filterAttribute.ts';

/** A value in a filter condition. */
export interface ConditionValue {
  readonly text: string;
  readonly number: boolean;
}

/** A DynamoDB filter expression with its placeholders. */
export interface Condition {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, ConditionValue>>;
}

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const buildExpression = (
  operator: FilterOperator,
  operand: string,
  name: string,
  values: readonly string[],
): string => {
  const [value = ''] = values;
  switch (operator) {
    case 'in':
      return `${name} IN (${values.join(',')})`;
    case 'contains':
      return `contains(${name},${value})`;
    case 'exists':
      return operand === 'true' ? `attribute_exists(${name})` : `attribute_not_exists(${name})`;
    case 'ne':
      // True without the attribute. NOT binds tighter than AND: parentheses could be redundant, which DynamoDB rejects.
      return `NOT ${name} = ${value}`;
    default:
      return `${name} ${COMPARISONS[operator]} ${value}`;
  }
};

interface Clause {
  readonly condition: Condition;
  /** Whether all versions of a record give the same result. */
  readonly isImmutable: boolean;
}

/** Filters on fields without an attribute are left out: callers also check the filters on the record itself. */
const buildClauses = (filters: readonly Filter[]): Clause[] =>
  filters.flatMap(({ field, operator, values }, index) => {
    const member = filterAttributeOf(field);
    if (member === null) return [];
    const name = `#f${index}`;
    const parameters =
      operator === 'exists' ? [] : values.map((value, at) => [`:f${index}_${at}`, value] as const);
    const number = member.isNumber === true;
    return [
      {
        isImmutable: member.isImmutable === true,
        condition: {
          expression: buildExpression(
            operator,
            values[0] ?? '',
            name,
            parameters.map(([key]) => key),
          ),
          names: { [name]: member.attribute },
          values: Object.fromEntries(
            parameters.map(([key, value]) => [key, { text: encodeValue(member, value), number }]),
          ),
        },
      },
    ];
  });

const laneClause = (lane: string): Clause => ({
  isImmutable: true,
  condition: {
    expression: '#lane = :lane',
    names: { '#lane': 'lane' },
    values: { ':lane': { text: lane, number: false } },
  },
});

const mergeConditions = (clauses: readonly Condition[], expression: string): Condition => ({
  expression,
  names: Object.fromEntries(clauses.flatMap(({ names }) => Object.entries(names))),
  values: Object.fromEntries(clauses.flatMap(({ values }) => Object.entries(values))),
});

const joinWithAnd = (clauses: readonly Condition[]): string =>
  clauses.map(({ expression }) => expression).join(' AND ');

/** Matches records with several versions. They must not be filtered before one of their versions is selected. */
const HAS_SEVERAL_VERSIONS: Condition = {
  expression: 'attribute_exists(#to) OR attribute_exists(#version)',
  names: { '#to': 'to', '#version': 'version' },
  values: {},
};

/**
 * The condition for readers that select between the versions of a record themselves. Immutable fields are checked on
 * every version. Mutable fields are checked only on records with a single version: filtering one of several versions
 * would lead to a wrong selection. Undefined when there is nothing to filter.
 */
export const conditionBeforeSelection = (
  filters: readonly Filter[],
  lane: string | null,
): Condition | undefined => {
  const clauses = [...buildClauses(filters), ...(lane === null ? [] : [laneClause(lane)])];
  if (clauses.length === 0) return undefined;
  const immutable = clauses.filter((clause) => clause.isImmutable).map(({ condition }) => condition);
  const mutable = clauses.filter((clause) => !clause.isImmutable).map(({ condition }) => condition);
  if (mutable.length === 0) return mergeConditions(immutable, joinWithAnd(immutable));
  const either: Condition = mergeConditions(
    [...mutable, HAS_SEVERAL_VERSIONS],
    `((${joinWithAnd(mutable)}) OR ${HAS_SEVERAL_VERSIONS.expression})`,
  );
  return mergeConditions([...immutable, either], joinWithAnd([...immutable, either]));
};
