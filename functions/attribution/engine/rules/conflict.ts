import type { Assertion } from './evidence.ts';

/**
 * Weight of a contradiction by a name that no mapping translated. Different registries often have very different names
 * for the same service, so most of these differences mean nothing (our estimate).
 */
const UNTRANSLATED_WEIGHT = 0.3;

/** Digits of published confidences. The estimates behind them have two digits. */
const CONFIDENCE_DIGITS = 4;

const lastSegment = (name: string): string =>
  (name.split('/').at(-1) ?? name).toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether two names probably mean the same service: `search/ranker-7f9` and `Ranker`. */
const isSimilarName = (one: string, other: string): boolean => {
  const [a, b] = [lastSegment(one), lastSegment(other)];
  return a.includes(b) || b.includes(a);
};

const isIndependent = (one: Assertion, other: Assertion): boolean =>
  !one.kinds.some((kind) => other.kinds.includes(kind));

/**
 * Weight from 0 to 1 with which an assertion contradicts the one that decided. Two mappings contradict each other if they
 * read different kinds of evidence and all conditions of the second are exact. A mapping with a pattern is a default,
 * which the order of evaluation overrides. Service names that no mapping translated contradict weakly. Names of people,
 * provider keys and spans do not contradict.
 */
const contradictionWeight = (decided: Assertion, other: Assertion, member: 'owner' | 'service'): number => {
  const [name, otherName] = [decided[member], other[member]];
  if (name === undefined || otherName === undefined || name === otherName) return 0;
  if (!isIndependent(decided, other)) return 0;
  if (other.mapping !== undefined) return decided.mapping !== undefined && other.mapping.exact ? 1 : 0;
  const isServiceName = other.rule === 'service' || other.rule === 'workload';
  return member === 'service' && isServiceName && !isSimilarName(name, otherName) ? UNTRANSLATED_WEIGHT : 0;
};

export interface ConflictAssessment {
  /** Confidence of the assertion that decided, after contradictions. */
  readonly confidence: number;
  readonly against: readonly Assertion[];
}

/**
 * Lowers the confidence of the assertion that decided an owner or service by each contradiction. If two sources with
 * confidence c and d contradict each other, the first is right with probability c(1 − d) / (1 − cd): Bayes' theorem,
 * given that not both are right.
 */
export const assessConflict = (
  decided: Assertion,
  others: readonly Assertion[],
  member: 'owner' | 'service',
): ConflictAssessment => {
  let confidence = decided.confidence;
  const against: Assertion[] = [];
  for (const other of others) {
    const contradiction = contradictionWeight(decided, other, member) * other.confidence;
    if (contradiction === 0) continue;
    against.push(other);
    confidence = (confidence * (1 - contradiction)) / (1 - confidence * contradiction);
  }
  if (against.length === 0) return { confidence, against };
  return { confidence: Number(confidence.toFixed(CONFIDENCE_DIGITS)), against };
};
