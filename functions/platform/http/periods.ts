import { DAY_MS } from '../../../schemas/durations.ts';
import { invalidParameter, type ProblemError } from '../shared/problem.ts';
import type { Interval } from '../shared/time/interval.ts';
import { utcDateOf } from '../shared/time/toIso.ts';

const TIME = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Digits after the milliseconds, which `Date.parse` drops. */
const BELOW_MILLISECOND = /\.\d{3}\d*[1-9]/;

/**
 * The period that each kind of bound allows. All times are whole milliseconds: `floor` and `ceil` are those around the
 * bound, and equal if it is one.
 */
const allowed: Readonly<Record<string, (floor: number, ceil: number) => Partial<Interval>>> = {
  from: (_, ceil) => ({ from: ceil }),
  to: (_, ceil) => ({ to: ceil }),
  gte: (_, ceil) => ({ from: ceil }),
  gt: (floor) => ({ from: floor + 1 }),
  lt: (_, ceil) => ({ to: ceil }),
  lte: (floor) => ({ to: floor + 1 }),
  eq: (floor, ceil) => ({ from: ceil, to: floor + 1 }),
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
    const floor = typeof text === 'string' && TIME.test(text) ? Date.parse(text) : Number.NaN;
    if (typeof text !== 'string' || Number.isNaN(floor)) return [];
    const ceil = BELOW_MILLISECOND.test(text) ? floor + 1 : floor;
    return [{ parameter, text, ...allowed[kind]?.(floor, ceil) }];
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
