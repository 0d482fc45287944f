import { DAY_MS } from '../../../schemas/durations.ts';
import { invalidParameter, type ProblemError } from '../shared/problem.ts';
import type { Interval } from '../shared/time/interval.ts';
import { intervalOf } from '../shared/time/intervalOf.ts';
import { utcDateOf } from '../shared/time/toIso.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The period that each kind of bound allows. The bound itself is an interval of whole
 * milliseconds: a day, a millisecond, or nothing for an instant between two milliseconds.
 */
const allowed: Readonly<Record<string, (bound: Interval) => Partial<Interval>>> = {
  from: ({ from }) => ({ from }),
  to: ({ from }) => ({ to: from }),
  gte: ({ from }) => ({ from }),
  gt: ({ to }) => ({ from: to }),
  lt: ({ from }) => ({ to: from }),
  lte: ({ to }) => ({ to }),
  eq: (bound) => bound,
};

/** The parameters that bound a time field, with the kind of each. `from` and `to` belong to no field (null). */
const parametersOf = (field: string | null): (readonly [parameter: string, kind: string])[] =>
  field === null
    ? [
        ['from', 'from'],
        ['to', 'to'],
      ]
    : [
        [field, 'eq'],
        ...['eq', 'gt', 'gte', 'lt', 'lte'].map((kind) => [`${field}[${kind}]`, kind] as const),
      ];

interface Bound extends Partial<Interval> {
  readonly parameter: string;
  readonly text: string;
}

/** The bounds of a field in a query. Values that are no times are left to the schema of the route. */
const boundsOf = (query: object, field: string | null): Bound[] => {
  const given = new Map<string, unknown>(Object.entries(query));
  return parametersOf(field).flatMap(([parameter, kind]) => {
    const text = given.get(parameter);
    const bound = typeof text === 'string' ? intervalOf(text) : null;
    if (typeof text !== 'string' || bound === null) return [];
    return [{ parameter, text, ...allowed[kind]?.(bound) }];
  });
};

const intersectionOf = (bounds: readonly Bound[]): Interval => ({
  from: Math.max(...bounds.map(({ from = Number.NEGATIVE_INFINITY }) => from)),
  to: Math.min(...bounds.map(({ to = Number.POSITIVE_INFINITY }) => to)),
});

/** The period that all bounds of a time field allow, such as `at[gte]`. Its ends are infinite where no bound is set. */
export const periodOf = (query: object, field: string): Interval => intersectionOf(boundsOf(query, field));

/** To whoever means one day, the first instant after it is the end that was meant. */
const oneDayHint = (bounds: readonly Bound[]): string => {
  const [day, ...others] = new Set(bounds.map(({ text }) => text));
  if (day === undefined || others.length > 0 || !DAY.test(day)) return '';
  return ` For one day, send the next day as to: ${utcDateOf(Date.parse(day) + DAY_MS)}.`;
};

/**
 * The problem of a query whose period contains no instant; null if it has none. An answer would be a sum of zero, which
 * nobody can tell from a period without calls. `known` are the parameters of the route.
 */
export const emptyPeriod = (query: object, known: readonly string[]): ProblemError | null => {
  const fields = known.flatMap((name) => (name.endsWith('[gte]') ? [name.slice(0, -'[gte]'.length)] : []));
  for (const field of [null, ...fields]) {
    const bounds = boundsOf(query, field);
    const { from, to } = intersectionOf(bounds);
    if (from < to) continue;
    const parameters = bounds.map(({ parameter }) => parameter);
    return field === null
      ? invalidParameter(
          'INVALID_REQUEST',
          `to is exclusive and must be later than from.${oneDayHint(bounds)}`,
          ...parameters,
        )
      : invalidParameter(
          'INVALID_FILTER',
          'The bounds exclude each other, so the period contains no instant.',
          ...parameters,
        );
  }
  return null;
};
