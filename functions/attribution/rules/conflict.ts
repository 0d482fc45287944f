import type { Assertion } from './evidence.ts';

/**
 * How much a name read from the evidence itself weighs against another: names of one service in different registries
 * often differ by more than spelling, so most differences between them mean nothing (judgement).
 */
const UNTRANSLATED_WEIGHT = 0.3;

/** Confidences are published to this many digits: what lies behind them is judged to two. */
const CONFIDENCE_DIGITS = 4;

const lastSegment = (name: string): string =>
  (name.split('/').at(-1) ?? name).toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether two names may well be one service: `search/ranker-7f9` and `Ranker`. */
const isLike = (one: string, other: string): boolean => {
  const [a, b] = [lastSegment(one), lastSegment(other)];
  return a.includes(b) || b.includes(a);
};

const isIndependent = (one: Assertion, other: Assertion): boolean =>
  !one.kinds.some((kind) => other.kinds.includes(kind));

/**
 * How much a claim speaks against the one that decided, from 0 to 1. Two mappings contradict each other where they read
 * evidence of different kinds and the second was written for exactly this name: a pattern is a default, which order
 * overrules. Names that no mapping translated contradict weakly, and those of people, keys and spans not at all.
 */
const contradictionWeight = (decided: Assertion, other: Assertion, member: 'owner' | 'service'): number => {
  const [name, otherName] = [decided[member], other[member]];
  if (name === undefined || otherName === undefined || name === otherName) return 0;
  if (!isIndependent(decided, other)) return 0;
  if (other.mapping !== undefined) return decided.mapping !== undefined && other.mapping.exact ? 1 : 0;
  const isServiceName = other.rule === 'service' || other.rule === 'workload';
  return member === 'service' && isServiceName && !isLike(name, otherName) ? UNTRANSLATED_WEIGHT : 0;
};

export interface ConflictAssessment {
  /** Of the claim that decided, after what speaks against it. */
  readonly confidence: number;
  readonly against: readonly Assertion[];
}

/**
 * Weighs what decided an owner or service against what says otherwise. Of two witnesses that cannot both be right, the
 * first is right with probability c(1 − d) / (1 − cd): Bayes, given that they disagree.
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
