import type { ObservedUse } from '../../../ledger/records/sameCall/observedUse.ts';
import { CLOSE_MS, coincides, componentsOf, contradicts, NEAR_MS, ROUNDING_MS } from './sameCall.ts';

/** A call without token counts, and the records that can be of the same call. Several: nobody can tell which. */
export interface UncountedCall {
  readonly record: string;
  readonly partners: readonly string[];
}

const orderOf = ({ record, kind }: ObservedUse): string => `${record} ${kind}`;

type Test = (one: ObservedUse, other: ObservedUse) => boolean;

const isCounted = ({ counts }: ObservedUse): boolean => counts !== undefined;

const isBelow: Test = ({ caller }, { spans = [] }) => caller !== undefined && spans.includes(caller);

const isChain: Test = (one, other) => isBelow(one, other) || isBelow(other, one);

/** Without counts, nothing but their times tells calls beside each other apart. So clocks of two processes may differ less. */
const ranTogether: Test = (one, other) =>
  coincides(one, other, one.service !== undefined && one.service === other.service ? ROUNDING_MS : CLOSE_MS);

const sharesCounts: Test = (one, other) => (one.counts ?? []).some((key) => other.counts?.includes(key));

/** Counted uses that several observers made of one call, in the chain of their spans or with equal counts. */
const countedCalls = (uses: readonly ObservedUse[]): ObservedUse[][] =>
  componentsOf(
    uses.filter(isCounted),
    (one, other) =>
      !contradicts(one, other) &&
      (isChain(one, other) || (sharesCounts(one, other) && coincides(one, other, NEAR_MS))),
  ).flatMap((component) => {
    const isOne = component.every((one, index) =>
      component.slice(index + 1).every((other) => !contradicts(one, other)),
    );
    return isOne ? [component] : component.map((one) => [one]);
  });

/** What shows that a call without counts is another one, from the strongest evidence to the weakest. */
const EVIDENCE: readonly Test[] = [isBelow, (one, other) => isBelow(one, other) || ranTogether(one, other)];

const sharesModel: Test = (one, other) => one.models.some((model) => other.models.includes(model));

/**
 * The calls of a trace that state no token counts, each with the record that reports the same call: the one above it, or one
 * beside it that ran at the same time, with the same model. One of those below it has no counts either, because a call above
 * one with counts repeats it already. Only between different kinds of observers, and if each is the only one that fits the
 * other. A function of the set of observations, so the order of their arrival does not matter.
 */
export const uncountedCalls = (observed: readonly ObservedUse[]): UncountedCall[] => {
  const uses = observed.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  const calls = countedCalls(uses);
  const partnersBy = (use: ObservedUse, test: Test): string[] => {
    const fits: Test = (one, other) =>
      one.record !== other.record && !contradicts(one, other) && sharesModel(one, other) && test(one, other);
    const found = calls.filter(
      (call) => call.some((one) => fits(use, one)) && !call.some((one) => contradicts(use, one)),
    );
    const rivals = uses.filter(
      (other) =>
        other.record !== use.record &&
        other.kind === use.kind &&
        found.some((call) => call.some((one) => fits(other, one))),
    );
    const partners = found.flatMap((call) => call.filter((one) => fits(use, one)));
    const isCertain = found.length === 1 && rivals.length === 0;
    return [...(isCertain ? partners.slice(0, 1) : [...partners, ...rivals])].map(({ record }) => record);
  };
  const partnersOf = (use: ObservedUse): string[] => {
    const [lower, ...others] = uses.filter((other) => isBelow(other, use) && !contradicts(other, use));
    if (lower !== undefined) {
      const isRepeat = others.length === 0 && !isCounted(lower) && sharesModel(lower, use);
      return isRepeat ? [lower.record] : [];
    }
    return EVIDENCE.map((test) => partnersBy(use, test)).find(({ length }) => length > 0) ?? [];
  };
  return uses
    .filter((use) => !isCounted(use))
    .map((use) => ({ record: use.record, partners: [...new Set(partnersOf(use))] }));
};
