import type { Attribution } from '../../ledger/records/attribution.ts';
import { TRACE_STRENGTH } from '../engine/rules/resolution.ts';
import { learnableName } from './models/label.ts';
import type { TracedName } from './prediction/observation.ts';

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

/**
 * For each call that names its owner itself, what the rules would name it by its trace: the owner of the span that called it, or
 * else the one that all others of the trace name. So calls that name themselves measure how often a trace is right.
 */
export const tracedNames = (calls: readonly TracedCall[]): (TracedName | undefined)[] => {
  /** By trace, how many calls name each owner. */
  const traces = new Map<string, Map<string, number>>();
  for (const { traceId, owner } of calls) {
    if (traceId === null || owner === null) continue;
    const named = traces.get(traceId) ?? new Map<string, number>();
    traces.set(traceId, named.set(owner, (named.get(owner) ?? 0) + 1));
  }
  return calls.map(({ traceId, owner, inherited }) => {
    if (traceId === null || owner === null) return undefined;
    if (inherited !== null) return { confidence: inherited.confidence, isRight: inherited.owner === owner };
    const others = [...(traces.get(traceId) ?? [])].filter(([name, named]) => name !== owner || named > 1);
    const [other, ...more] = others.map(([name]) => name);
    return other === undefined || more.length > 0
      ? undefined
      : { confidence: TRACE_STRENGTH.trace, isRight: other === owner };
  });
};
