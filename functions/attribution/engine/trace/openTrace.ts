import { packedViews } from '../../../ledger/records/trace/packedViews.ts';
import type { WrittenSpan } from '../../../ledger/records/trace/trace.store.ts';
import type { Agreement, AgreementOf } from '../../../ledger/records/trace/traceAgreement.store.ts';
import { partitionOf } from '../../../ledger/records/trace/traceRow.store.ts';
import type { TraceLane } from '../../../ledger/records/trace/traceSpan.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { packedTrace } from './packedTrace.ts';
import { agree, type ResolveNames, resolveEndUser } from './trace.ts';
import type { TraceScope, TraceStores, ViewedTrace } from './traceScope.ts';

/**
 * Returns a function that reads the spans of a trace. A trace that has outgrown its packs is indexed first: each of its spans
 * gets rows of its own, and what they agree about is written. Only then a row says that it is indexed. A span whose packs were
 * read before is in this index, because packs are only added. All others write rows of their own. Any number of processes
 * may do it at a time.
 */
export const traceOpener = (stores: TraceStores) => {
  const { traces, agreements, requestPass, clock } = stores;

  const adopt = async (
    trace: TraceLane,
    of: AgreementOf,
    agreement: Agreement,
    resolve: ResolveNames,
  ): Promise<void> => {
    for (;;) {
      const expected = await agreements.read(trace, of);
      const isOpen = expected === null || (expected.state === 'agreed' && agreement.state !== 'agreed');
      const next = isOpen
        ? agreement
        : agreement.state === 'agreed'
          ? agree(expected, agreement, resolve)
          : null;
      if (next === null || (await agreements.write(trace, of, { expected, next, at: clock() }))) return;
    }
  };

  const index = singleFlightBatch(async ([scope]: NonEmptyBatch<TraceScope>): Promise<void> => {
    const all = await traces.packedSpans(scope.trace);
    await traces.index(scope.trace, all, clock());
    const lanes = Map.groupBy(all, ({ lane }) => lane);
    const viewOf = packedViews(all);
    for (const [lane, spans] of lanes) {
      const trace = { ...scope.trace, lane };
      const packed = packedTrace(stores, { ...scope, trace, view: viewOf(lane) }, spans);
      for (const connector of new Set(spans.map((span) => span.connector))) {
        for (const [subject, resolve] of [
          ['names', scope.resolveNames],
          ['end_user', resolveEndUser],
        ] as const) {
          const { agreement } = await packed.agreementAbout(subject, connector);
          if (agreement !== null) await adopt(trace, { connector, subject }, agreement, resolve);
        }
      }
      if (packed.hasSeveralCredentials) {
        const of = { connector: undefined, subject: 'credential' } as const;
        await adopt(trace, of, { state: 'conflicting' }, scope.resolveNames);
      }
    }
    await traces.noteIndexed(scope.trace, clock());
    // Whoever changed what the spans agree about finds it written, and tells nobody.
    for (const lane of lanes.keys()) await requestPass({ ...scope.trace, lane });
  });

  return async (scope: TraceScope, written?: WrittenSpan): Promise<ViewedTrace> => {
    const opened = await traces.open(scope.trace, clock(), written);
    if (opened !== 'outgrown') return { ...scope, view: opened };
    await index(partitionOf(scope.trace), scope);
    const view = await traces.open(scope.trace, clock());
    if (view === 'outgrown') throw new Error('a trace that was indexed does not say so');
    return { ...scope, view };
  };
};
