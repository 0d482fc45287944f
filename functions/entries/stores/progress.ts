import { completenessReader } from '../../ledger/freshness/completeTotals.ts';
import { indexLag } from '../../ledger/freshness/indexLag.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { pendingMarkStore } from '../../ledger/rollups/marks/pendingMark.store.ts';
import type { Environment } from './provider.ts';

export const progressReport = (table: string) => ({
  reportProgress: progressReporter(progressStore(table)),
});
export const totalsComplete = (table: string, { clock }: Environment) => ({
  readCompleteness: completenessReader({
    progress: progressStore(table),
    pendingMarks: pendingMarkStore(table),
    clock,
  }),
});
export const progressRead = (table: string, { clock }: Environment) => ({
  indexLag: indexLag(
    { progress: progressStore(table), oldestPendingMark: pendingMarkStore(table).oldest },
    clock,
  ),
});
