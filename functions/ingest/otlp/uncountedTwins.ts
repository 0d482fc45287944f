import { textOf } from '../spans/attributes.ts';
import { hasNamedCounts } from '../spans/spanKind.ts';
import type { Span } from '../spans/telemetry.ts';

/** Times of one process differ by the rounding of a begin and of a duration. */
const ROUNDING_NS = 2_000_000n;

const serviceOf = ({ resource }: Span): string | undefined => textOf('service', resource);

const isWithin = (inner: Span, outer: Span): boolean =>
  inner.start >= outer.start - ROUNDING_NS && inner.end <= outer.end + ROUNDING_NS;

const modelsOf = ({ attributes }: Span): readonly string[] =>
  [textOf('requestedModel', attributes), textOf('servedModel', attributes)].flatMap((model) => model ?? []);

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Whether two instrumentations of one process can have reported one call: one span ran while the other did. */
const canBeOneCall = (one: Span, other: Span): boolean =>
  one.scope !== other.scope &&
  serviceOf(one) !== undefined &&
  serviceOf(one) === serviceOf(other) &&
  (isWithin(one, other) || isWithin(other, one)) &&
  modelsOf(one).some((model) => modelsOf(other).includes(model)) &&
  !differ(textOf('responseId', one.attributes), textOf('responseId', other.attributes));

const isUncounted = ({ isError, attributes }: Span): boolean =>
  !isError && !hasNamedCounts(attributes) && textOf('errorType', attributes) === undefined;

/** More calls than a process makes at once. The comparison of each with each would take long. */
const COMPARED_MAXIMUM = 500;

/**
 * Calls without counts that another instrumentation of the same process reports with its counts, outside their trace:
 * OpenInference for JavaScript reads no usage of streams of OpenAI, and LangChain above it does. Only if each has one partner.
 */
export const uncountedTwins = (calls: readonly Span[]): ReadonlySet<Span> => {
  const uncounted = calls.filter(isUncounted);
  if (uncounted.length === 0 || calls.length > COMPARED_MAXIMUM) return new Set();
  const counted = calls.filter(({ attributes }) => hasNamedCounts(attributes));
  const onlyOne = (of: Span, among: readonly Span[]): Span | undefined => {
    const [first, ...others] = among.filter((other) => canBeOneCall(of, other));
    return others.length === 0 ? first : undefined;
  };
  return new Set(
    uncounted.filter((span) => {
      const partner = onlyOne(span, counted);
      return partner !== undefined && onlyOne(partner, uncounted) === span;
    }),
  );
};
