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

/** DynamoDB limits an expression to 4 KB. The rest is left for what joins the clauses, and for the lane. */
const CLAUSES_LENGTH_MAXIMUM = 3_500;

interface Clause {
  readonly condition: Condition;
  /** Whether the expression must be in parentheses beside others. Alone it must not: DynamoDB rejects redundant ones. */
  readonly isDisjunction?: boolean;
  /** Whether all versions of a record give the same result. */
  readonly isImmutable: boolean;
}

const clauseOf = ({ field, operator, values }: Filter, index: number): Clause[] => {
  const member = filterAttributeOf(field);
  const [operand = ''] = values;
  const isUncertain = member?.isAbsentInOlderItems === true;
  if (member === null || (isUncertain && operator === 'exists' && operand === 'true')) return [];
  const name = `#f${index}`;
  const encoded =
    operator === 'exists' ? [] : [...new Set(values.map((value) => encodeValue(member, value)))];
  const parameters = encoded.map((text, at) => [`:f${index}_${at}`, text] as const);
  const keys = parameters.map(([key]) => key);
  const expression = buildExpression(operator, operand, name, keys);
  const isDisjunction = isUncertain && !['ne', 'exists'].includes(operator);
  const number = member.isNumber === true;
  return [
    {
      isImmutable: member.isImmutable === true,
      isDisjunction,
      condition: {
        expression: isDisjunction ? `attribute_not_exists(${name}) OR ${expression}` : expression,
        names: { [name]: member.attribute },
        values: Object.fromEntries(parameters.map(([key, text]) => [key, { text, number }])),
      },
    },
  ];
};

/**
 * The clauses of filters. A condition only spares reading records that do not match, because callers check all filters on the
 * record itself. So filters on fields without an attribute are left out, and so are the longest clauses beyond the limit.
 */
const buildClauses = (filters: readonly Filter[]): Clause[] => {
  const clauses = filters.flatMap(clauseOf);
  const kept = new Set<Clause>();
  let left = CLAUSES_LENGTH_MAXIMUM;
  const lengthOf = ({ condition }: Clause): number => ` AND (${condition.expression})`.length;
  for (const clause of clauses.toSorted((one, other) => lengthOf(one) - lengthOf(other))) {
    left -= lengthOf(clause);
    if (left < 0) break;
    kept.add(clause);
  }
  return clauses.filter((clause) => kept.has(clause));
};

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

const joinWithAnd = (clauses: readonly Pick<Clause, 'condition' | 'isDisjunction'>[]): Condition => {
  const isAlone = clauses.length === 1;
  return mergeConditions(
    clauses.map(({ condition }) => condition),
    clauses
      .map(({ condition: { expression }, isDisjunction = false }) =>
        isDisjunction && !isAlone ? `(${expression})` : expression,
      )
      .join(' AND '),
  );
};

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
  const immutable = clauses.filter((clause) => clause.isImmutable);
  const mutable = clauses.filter((clause) => !clause.isImmutable);
  if (mutable.length === 0) return joinWithAnd(immutable);
  const single = joinWithAnd(mutable);
  const either = mergeConditions(
    [single, HAS_SEVERAL_VERSIONS],
    `((${single.expression}) OR ${HAS_SEVERAL_VERSIONS.expression})`,
  );
  return joinWithAnd([...immutable, { condition: either }]);
};
