import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { dedupClaimStore } from '../../ledger/records/dedup/dedupClaim.store.ts';
import { dedupClaimReader } from '../../ledger/records/dedup/dedupClaimReader.store.ts';
import { eventKeys } from '../../ledger/records/dedup/eventKey.store.ts';
import { disputeReader } from '../../ledger/records/disputeIndex.store.ts';
import { ledgerWriter } from '../../ledger/records/ledger.store.ts';
import { traceRecordReader } from '../../ledger/records/query/traceRecord.store.ts';
import { observedUseStore } from '../../ledger/records/sameCall/observedUse.store.ts';
import { shardBitsReader, shardBitsStore } from '../../ledger/records/shards/shardBits.store.ts';
import { currentShardBits, shardBitsControl } from '../../ledger/records/shards/shardBitsControl.ts';
import { traceStore } from '../../ledger/records/trace/trace.store.ts';
import { traceAgreementStore } from '../../ledger/records/trace/traceAgreement.store.ts';
import { tracePassQueue } from '../../ledger/records/trace/tracePass.aws.ts';
import { totalsCheckRequester } from '../../ledger/rollups/checks/requestCheck.ts';
import { type GroupDirectory, groupDirectory } from '../../ledger/rollups/groupDirectory.store.ts';
import { dirtyMarker } from '../../ledger/rollups/marks/markDirty.ts';
import { pendingMarkStore } from '../../ledger/rollups/marks/pendingMark.store.ts';
import { rollupQueue } from '../../ledger/rollups/marks/queue.aws.ts';
import { evaluationRequester } from '../../ledger/rollups/marks/requestEvaluation.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { settings } from '../../platform/shared/settings.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';
import type { Environment } from './provider.ts';

export const disputesRead = (table: string) => ({ disputes: disputeReader(table) });
export const claimsRead = (table: string) => ({ claims: dedupClaimReader(table) });
export const tracesRead = (table: string) => ({ traces: traceRecordReader(table) });

export const rollupsRead = (table: string) => ({ rollups: rollupReader(table) });
type GroupReader = Pick<GroupDirectory, 'read'>;
export const rollupsGroups = (table: string): { readonly groups: GroupReader } => ({
  groups: groupDirectory(table),
});
export const rollupsMark = (queue: string, { resourceOf, clock }: Environment) => ({
  mark: dirtyMarker({
    queue: rollupQueue(queue),
    pendingMarks: pendingMarkStore(resourceOf('marks.add')),
    clock,
    elapsed: stopwatch.now,
    newId: randomUUID,
    random: Math.random,
  }),
});
export const rollupsCheck = (queue: string) => ({
  requestTotalsCheck: totalsCheckRequester(rollupQueue(queue)),
  requestEvaluation: evaluationRequester(rollupQueue(queue)),
});

export const ledgerWrite = (table: string, { clock }: Environment) => ({
  ledgerWriter: ledgerWriter(table, clock),
});
export const ledgerReadShardBits = (table: string, { clock }: Environment) => ({
  currentShardBits: currentShardBits(shardBitsReader(table), clock),
});
export const ledgerShardBits = (table: string, { clock }: Environment) => ({
  shardBits: shardBitsControl(shardBitsStore(table), clock),
});
export const claimsHold = (table: string) => ({ eventKeys: eventKeys(table) });
export const claimsWrite = (table: string) => ({ claimStore: dedupClaimStore(table) });

/** A developer waits for the result of a pass, and so does a test. */
const PASS_WINDOW_MS = settings.ENVIRONMENT === 'local' ? 10_000 : 5 * MINUTE_MS;
export const tracesWrite = (table: string, { resourceOf, clock }: Environment) => ({
  traceStore: traceStore(table),
  traceAgreements: traceAgreementStore(table),
  tracePasses: tracePassQueue(table, resourceOf('jobs.send'), clock, PASS_WINDOW_MS),
  observedUses: observedUseStore(table),
});
