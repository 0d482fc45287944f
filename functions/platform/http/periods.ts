import { invalidParameter, type ProblemError } from '../shared/problem.ts';
import { DAY_MS } from '../shared/time/durations.ts';

/** `occurred_at[gte]` is the operator `gte` on the time `occurred_at`. */
const OPERATOR = /^(\w+)\[(gt|gte|lt|lte|eq)\]$/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A bound of a period, as half-open milliseconds: the first included instant, or the first excluded one. */
interface Bound {
  readonly parameter: string;
  readonly text: string;
  readonly from?: number;
  readonly to?: number;
}

/** The half-open period that each kind of bound allows. */
const periodFor: Readonly<Record<string, (at: number) => Pick<Bound, 'from' | 'to'>>> = {
  from: (at) => ({ from: at }),
  to: (at) => ({ to: at }),
  gte: (at) => ({ from: at }),
  gt: (at) => ({ from: at + 1 }),
  lt: (at) => ({ to: at }),
  lte: (at) => ({ to: at + 1 }),
  eq: (at) => ({ from: at, to: at + 1 }),
};

/** The period of `from` and `to`, which belongs to no field. */
const RANGE = '';

const isRange = (parameter: string): boolean => parameter === 'from' || parameter === 'to';

/** The bound that a parameter sets, with the name of its field. Null if the parameter is no bound of a time. */
const boundOf = (
  parameter: string,
  text: string,
  known: readonly string[],
): readonly [field: string, Bound] | null => {
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return null;
  const [, field = parameter, operator = 'eq'] = OPERATOR.exec(parameter) ?? [];
  const isBound = isRange(parameter) || known.includes(`${field}[gte]`);
  const period = periodFor[isRange(parameter) ? parameter : operator];
  if (!isBound || period === undefined) return null;
  return [isRange(parameter) ? RANGE : field, { parameter, text, ...period(at) }];
};

/** To whoever means one day, the first instant after it is the end that was meant. */
const oneDayHint = (bounds: readonly Bound[]): string => {
  const [day, ...others] = new Set(bounds.map(({ text }) => text));
  if (day === undefined || others.length > 0 || !DAY.test(day)) return '';
  return ` For one day, send the next day as to: ${new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)}.`;
};

/**
 * The problem of a query whose period contains no instant; null if it has none. An answer would be a sum of zero, which
 * nobody can tell from a period without calls. `known` are the parameters of the route.
 */
export const emptyPeriod = (
  query: Readonly<Record<string, string>>,
  known: readonly string[],
): ProblemError | null => {
  const bounds = Object.entries(query).flatMap(([parameter, text]) => {
    const bound = boundOf(parameter, text, known);
    return bound === null ? [] : [bound];
  });
  for (const [field, entries] of Map.groupBy(bounds, ([name]) => name)) {
    const sent = entries.map(([, bound]) => bound);
    const from = Math.max(...sent.map((bound) => bound.from ?? Number.NEGATIVE_INFINITY));
    const to = Math.min(...sent.map((bound) => bound.to ?? Number.POSITIVE_INFINITY));
    if (from < to) continue;
    const parameters = sent.map(({ parameter }) => parameter);
    return field === RANGE
      ? invalidParameter(
          'INVALID_REQUEST',
          `to is exclusive and must be later than from.${oneDayHint(sent)}`,
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
