import { type ClaimStore, claimStore } from '../../functions/attribution/claim.store.ts';
import { recorder } from '../../functions/attribution/record.ts';
import { type LedgerWriter, ledgerWriter } from '../../functions/attribution/store.ts';
import { noFactors } from './events.ts';

export const claims = claimStore('claims');
export const ledger = ledgerWriter('ledger');

/** Every write of the recorder. */
export const writes = ['claim', 'openMonth', 'add', 'countMismatch'] as const;
/** What happens to one write: it fails before it takes effect, or takes effect and is never acknowledged. */
export interface Fault {
  readonly write: (typeof writes)[number];
  readonly moment: 'before' | 'after';
}

export class Crash extends Error {}

/** The real stores of one process, which crashes at one write. */
export const processWith = (fault?: Fault) => {
  const crashing =
    <Arguments extends unknown[], Result>(
      write: Fault['write'],
      run: (...args: Arguments) => Promise<Result>,
    ) =>
    async (...args: Arguments): Promise<Result> => {
      if (fault?.write === write && fault.moment === 'before') throw new Crash();
      const result = await run(...args);
      if (fault?.write === write && fault.moment === 'after') throw new Crash();
      return result;
    };
  const faultyClaims: ClaimStore = {
    claim: crashing('claim', claims.claim),
    countMismatch: crashing('countMismatch', claims.countMismatch),
  };
  const faultyLedger: LedgerWriter = {
    openMonth: crashing('openMonth', ledger.openMonth),
    add: crashing('add', ledger.add),
  };
  return recorder({ claims: faultyClaims, ledger: faultyLedger, factors: async () => noFactors });
};
