import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { Agreement } from '../../../ledger/records/trace/traceAgreement.store.ts';
import type { Span, TraceEvidence } from '../../../ledger/records/trace/traceSpan.ts';
import { combineObservations, otherCallersOf } from '../observedSpan.ts';
import { firstInformant } from './informants.ts';
import { agree, evidenceOf, type ResolveNames, resolveEndUser, type Witness } from './trace.ts';
import type { TraceStores, ViewedTrace } from './traceScope.ts';

/** What a span passes on to the spans that it called. */
export interface PassedOn {
  readonly source: TraceEvidence['source'];
  readonly end_user: string | undefined;
}

/** How the agreement of the spans of a party came about. `changedBy`: records that changed it, in the order of packs. */
export interface AgreementHistory {
  readonly agreement: Agreement | null;
  readonly changedBy: ReadonlySet<string>;
}

/** What the spans of a small trace show together, each computed once. */
export interface PackedTrace {
  readonly passedOn: (span: Span) => Promise<PassedOn>;
  readonly agreementAbout: (
    subject: 'names' | 'end_user',
    connector: string | undefined,
  ) => Promise<AgreementHistory>;
  readonly hasSeveralCredentials: boolean;
}

const NOTHING: PassedOn = { source: null, end_user: undefined };

/** Spans that were stored together have all read each other. */
export const areStoredTogether = (one: Span, other: Span): boolean =>
  one.packs !== undefined && one.packs[0] === other.packs?.[0];

const inOrderOfPacks = (one: Span, other: Span): number => {
  const [first = '', second = ''] = [one.packs?.[0], other.packs?.[0]];
  return first === second ? (one.record < other.record ? -1 : 1) : first < second ? -1 : 1;
};

/**
 * Reads what spans show from what each of them says, without their records. So it does not matter which records are written,
 * and nothing is read of spans that come together.
 */
export const packedTrace = (
  { records }: Pick<TraceStores, 'records'>,
  { view, tenant, resolveNames }: ViewedTrace,
  spans: readonly Span[],
): PackedTrace => {
  /** What all observers of a call say together is in its record, also of those without a span. */
  const ownEvidence = async ({ record }: Span, observers: readonly Span[]): Promise<Evidence> => {
    const [first, ...others] = observers;
    const isAlone = others.length === 0 && first?.observer === undefined;
    if (!isAlone || first?.evidence === undefined) {
      const key = { partition: recordPartitionOf(tenant, record), ulid: record };
      const found = (await records.find(tenant.tenant_id, key))?.newest.attribution;
      if (found !== undefined) return evidenceOf(found);
    }
    return first?.evidence ?? {};
  };
  const witnesses = new Map<string, Promise<Witness>>();
  const witnessOf = (span: Span): Promise<Witness> => {
    const known = witnesses.get(span.record);
    if (known !== undefined) return known;
    const read = async (): Promise<Witness> => ({
      record: span.record,
      evidence: await ownEvidence(span, await view.ofRecord(span)),
    });
    const witness = read();
    witnesses.set(span.record, witness);
    return witness;
  };
  const resolved = new Map<Evidence, ReturnType<ResolveNames>>();
  const namesOf: ResolveNames = (witness) => {
    const known = resolved.get(witness.evidence);
    if (known !== undefined) return known;
    const names = resolveNames(witness);
    resolved.set(witness.evidence, names);
    return names;
  };

  const passed = new Map<string, PassedOn>();
  const callerOf = async (span: Span): Promise<Span | null> => {
    const observed = combineObservations(await view.ofRecord(span));
    const [caller] = observed === null ? [] : otherCallersOf(observed);
    return caller === undefined ? null : firstInformant(view, caller, span);
  };
  const passedOn = async (span: Span): Promise<PassedOn> => {
    const path: Span[] = [];
    const seen = new Set<string>();
    let above: Span | null = span;
    while (above !== null && !passed.has(above.record) && !seen.has(above.record)) {
      path.push(above);
      seen.add(above.record);
      above = await callerOf(above);
    }
    let result = (above === null ? undefined : passed.get(above.record)) ?? NOTHING;
    for (const one of path.toReversed()) {
      const witness = await witnessOf(one);
      const isNaming = namesOf(witness) !== null;
      const { span_id } = one;
      result = {
        source: isNaming ? { relation: 'ancestor', span_id, evidence: witness.evidence } : result.source,
        end_user: witness.evidence.end_user ?? result.end_user,
      };
      passed.set(one.record, result);
    }
    return result;
  };

  const histories = new Map<string, Promise<AgreementHistory>>();
  const readHistory = async (
    resolve: ResolveNames,
    connector: string | undefined,
  ): Promise<AgreementHistory> => {
    let agreement: Agreement | null = null;
    const changedBy = new Set<string>();
    const seen = new Set<string>();
    for (const span of spans.toSorted(inOrderOfPacks)) {
      if (span.connector !== connector || seen.has(span.record)) continue;
      seen.add(span.record);
      const witness = await witnessOf(span);
      const next: Agreement | null = resolve(witness) === null ? null : agree(agreement, witness, resolve);
      if (next === null) continue;
      agreement = next;
      changedBy.add(span.record);
    }
    return { agreement, changedBy };
  };
  return {
    passedOn,
    agreementAbout: (subject, connector) => {
      const key = `${subject} ${connector}`;
      const known = histories.get(key);
      if (known !== undefined) return known;
      const history = readHistory(subject === 'names' ? namesOf : resolveEndUser, connector);
      histories.set(key, history);
      return history;
    },
    hasSeveralCredentials: new Set(spans.map(({ credential }) => credential)).size > 1,
  };
};
