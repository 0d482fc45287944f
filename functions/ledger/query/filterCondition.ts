import type { Filter, FilterOperator } from './filter.ts';
import { filterMembers, spelled } from './filterMember.ts';

/** A value of a condition, as the table compares it. */
export interface ConditionValue {
  readonly text: string;
  readonly number: boolean;
}

/** What of the versions it reads the table hands out. */
export interface Condition {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, ConditionValue>>;
}

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const clauseOf = (
  operator: FilterOperator,
  asked: string,
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
      return asked === 'true' ? `attribute_exists(${name})` : `attribute_not_exists(${name})`;
    default:
      return `${name} ${COMPARISONS[operator]} ${value}`;
  }
};

interface Clause {
  readonly condition: Condition;
  readonly lasting: boolean;
}

/** Filters whose field no item keeps are left out: whoever reads checks the record itself as well. */
const clausesOf = (filters: readonly Filter[]): Clause[] =>
  filters.flatMap(({ field, operator, values }, index) => {
    const member = filterMembers[field];
    if (member === null) return [];
    const name = `#f${index}`;
    const asked =
      operator === 'exists' ? [] : values.map((value, at) => [`:f${index}_${at}`, value] as const);
    const number = member.number === true;
    return [
      {
        lasting: member.lasting,
        condition: {
          expression: clauseOf(
            operator,
            values[0] ?? '',
            name,
            asked.map(([key]) => key),
          ),
          names: { [name]: member.attribute },
          values: Object.fromEntries(
            asked.map(([key, value]) => [key, { text: spelled(member, value), number }]),
          ),
        },
      },
    ];
  });

const laneClause = (lane: string): Clause => ({
  lasting: true,
  condition: {
    expression: '#lane = :lane',
    names: { '#lane': 'lane' },
    values: { ':lane': { text: lane, number: false } },
  },
});

const joined = (clauses: readonly Condition[], expression: string): Condition => ({
  expression,
  names: Object.fromEntries(clauses.flatMap(({ names }) => Object.entries(names))),
  values: Object.fromEntries(clauses.flatMap(({ values }) => Object.entries(values))),
});

const allOf = (clauses: readonly Condition[]): string =>
  clauses.map(({ expression }) => expression).join(' AND ');

/** A filter cannot hide the versions of a record that stand beside others: which of them counts is chosen first. */
const ONE_OF_SEVERAL: Condition = {
  expression: 'attribute_exists(#to) OR attribute_exists(#version)',
  names: { '#to': 'to', '#version': 'version' },
  values: {},
};

/**
 * For readers that choose between the versions of a record themselves. What is the same in all versions is asked of
 * each; what may differ only of records that have one version, so that none hides which of several holds.
 */
export const conditionBeforeChoice = (
  filters: readonly Filter[],
  lane: string | null,
): Condition | undefined => {
  const clauses = [...clausesOf(filters), ...(lane === null ? [] : [laneClause(lane)])];
  if (clauses.length === 0) return undefined;
  const lasting = clauses.filter((clause) => clause.lasting).map(({ condition }) => condition);
  const changing = clauses.filter((clause) => !clause.lasting).map(({ condition }) => condition);
  if (changing.length === 0) return joined(lasting, allOf(lasting));
  const either: Condition = joined(
    [...changing, ONE_OF_SEVERAL],
    `((${allOf(changing)}) OR ${ONE_OF_SEVERAL.expression})`,
  );
  return joined([...lasting, either], allOf([...lasting, either]));
};

/** The versions that held at an instant (epoch milliseconds) by their own validity, for which all filters hold. */
export const conditionAt = (filters: readonly Filter[], lane: string | null, at: number): Condition => {
  const visible: Condition = {
    expression:
      '(attribute_not_exists(#version) OR #from <= :at) AND (attribute_not_exists(#to) OR #to > :at)',
    names: { '#version': 'version', '#from': 'from', '#to': 'to' },
    values: { ':at': { text: String(at), number: true } },
  };
  const asked = [...clausesOf(filters), ...(lane === null ? [] : [laneClause(lane)])];
  const clauses = [visible, ...asked.map(({ condition }) => condition)];
  return joined(clauses, allOf(clauses));
};
