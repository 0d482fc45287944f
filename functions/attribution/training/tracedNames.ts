import type { Attribution } from '../../ledger/records/attribution.ts';
import { TRACE_STRENGTH } from '../engine/rules/resolution.ts';
import { learnableName } from './models/label.ts';
import type { TracedExample } from './prediction/observation.ts';

/** A call of a trace, as its record tells it. */
export interface TracedCall {
  readonly traceId: string | null;
  /** The owner that the call names itself. Null if it names none. */
  readonly owner: string | null;
  /** The owner that the span which called it names. Null without one. */
  readonly inherited: { readonly owner: string; readonly confidence: number } | null;
}

export const tracedCallOf = ({ record, explanation }: Attribution): TracedCall => {
  const rule = explanation.rules.find((one) => one.rule === 'trace' && one.saw['relation'] === 'ancestor');
  return {
    traceId: record.trace_id,
    owner:
      record.interpretation.answers.owner.evidence_basis === 'trace_correlated'
        ? null
        : learnableName(record, 'owner'),
    inherited: rule?.owner === undefined ? null : { owner: rule.owner, confidence: rule.confidence },
  };
};

type Told = TracedCall['inherited'];

/** The owner that the rules name a call by its trace: that of the span that called it, or else the one that all others name. */
const tellOwner = (inherited: Told, others: readonly string[]): Told => {
  if (inherited !== null) return inherited;
  const [owner, ...more] = others;
  return owner === undefined || more.length > 0 ? null : { owner, confidence: TRACE_STRENGTH.trace };
};

/**
 * For each call of a trace, what the rules name it by the trace, and what they would name it if its owner were named nowhere. So
 * calls that name their owner measure how often a trace is right, also about services that never label.
 */
export const tracedNames = (calls: readonly TracedCall[]): (TracedExample | undefined)[] => {
  /** By trace, how many calls name each owner. */
  const traces = new Map<string, Map<string, number>>();
  for (const { traceId, owner } of calls) {
    if (traceId === null || owner === null) continue;
    const named = traces.get(traceId) ?? new Map<string, number>();
    traces.set(traceId, named.set(owner, (named.get(owner) ?? 0) + 1));
  }
  return calls.map(({ traceId, owner, inherited }) => {
    if (traceId === null) return undefined;
    const named = traces.get(traceId) ?? new Map<string, number>();
    const foreign = [...named.keys()].filter((name) => name !== owner);
    const isNamedAgain = owner !== null && (named.get(owner) ?? 0) > 1;
    const told = tellOwner(inherited, isNamedAgain ? [owner, ...foreign] : foreign);
    const asStranger = tellOwner(inherited?.owner === owner ? null : inherited, foreign);
    return {
      isNamed: owner !== null,
      name: told === null ? null : { confidence: told.confidence, isRight: told.owner === owner },
      stranger: owner === null ? null : (asStranger?.confidence ?? null),
    };
  });
};
