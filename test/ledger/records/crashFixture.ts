import { noInference } from '../../../functions/attribution/engine/inference.ts';
import { eventRecorder } from '../../../functions/attribution/engine/recordEvent.ts';
import { reviser } from '../../../functions/attribution/engine/revise.ts';
import { traceCorrelator } from '../../../functions/attribution/engine/trace/traceCorrelation.ts';
import { noMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import type { Factors } from '../../../functions/impact/factors.ts';
import {
  type DedupClaimStore,
  dedupClaimStore,
} from '../../../functions/ledger/records/dedup/dedupClaim.store.ts';
import { type LedgerWriter, ledgerWriter } from '../../../functions/ledger/records/ledger.store.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { traceStore } from '../../../functions/ledger/records/trace/trace.store.ts';
import { traceAgreementStore } from '../../../functions/ledger/records/trace/traceAgreement.store.ts';
import { noFactors } from '../../attribution/engine/events.ts';
import { neverRaised } from '../../attribution/engine/neverRaised.ts';
import { noSameCall } from '../../attribution/engine/noSameCall.ts';
import { shardBitsInTurn } from './shards/shardBitsInTurn.ts';

export const claims = dedupClaimStore('claims');
export const ledger = ledgerWriter('ledger', () => 0);
const traces = traceStore('traces');
const corrections = recordVersionStore('ledger', Date.now);

/** All writes of the recorder. */
export const writes = ['claim', 'span', 'openMonth', 'add', 'mark', 'countMismatch'] as const;
/** A fault of one write: it fails before it takes effect, or it takes effect and is not acknowledged. */
export interface Fault {
  readonly write: (typeof writes)[number];
  readonly moment: 'before' | 'after';
  /** Default: a crash of the process. */
  readonly error?: Error;
}

export class Crash extends Error {}

/** `tenant minute` of all rollups marked for recomputation. */
export const markedMinutes = new Set<string>();

const mark = async (tenantId: string, instants: readonly number[]): Promise<void> => {
  for (const at of instants) markedMinutes.add(`${tenantId} ${Math.floor(at / 60_000)}`);
};

/** A recorder with the real stores of one process that crashes at one write. */
export const recorderWithFault = (fault?: Fault, factors: () => Promise<Factors> = async () => noFactors) => {
  const crashing =
    <Arguments extends unknown[], Result>(
      write: Fault['write'],
      run: (...args: Arguments) => Promise<Result>,
    ) =>
    async (...args: Arguments): Promise<Result> => {
      if (fault?.write === write && fault.moment === 'before') throw fault.error ?? new Crash();
      const result = await run(...args);
      if (fault?.write === write && fault.moment === 'after') throw fault.error ?? new Crash();
      return result;
    };
  const faultyClaims: DedupClaimStore = {
    isReported: claims.isReported,
    claim: crashing('claim', claims.claim),
    observe: claims.observe,
    countMismatch: crashing('countMismatch', claims.countMismatch),
  };
  const faultyLedger: LedgerWriter = {
    openMonth: crashing('openMonth', ledger.openMonth),
    add: crashing('add', ledger.add),
  };
  const revise = reviser(corrections, Date.now, neverRaised);
  return eventRecorder({
    isArchived: () => Promise.resolve(false),
    auditRejection: async () => undefined,
    isRaised: neverRaised,
    revise,
    claims: faultyClaims,
    ledger: faultyLedger,
    shardBits: shardBitsInTurn(),
    mark: crashing('mark', mark),
    ...traceCorrelator({
      traces: { ...traces, put: crashing('span', traces.put) },
      agreements: traceAgreementStore('traces'),
      records: corrections,
      requestPass: async () => undefined,
      revise,
      mark,
      clock: Date.now,
    }),
    sameCall: noSameCall,
    attributionContext: async () => ({ factors: await factors(), mappings: noMappings, infer: noInference }),
  });
};
