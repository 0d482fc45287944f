import { type LedgerReader, ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { listRecords } from '../../../functions/ledger/records/query/listRecords.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { groupDirectory } from '../../../functions/ledger/rollups/groupDirectory.store.ts';
import { groupLimiter } from '../../../functions/ledger/rollups/groupLimit.ts';
import {
  type PendingMarkStore,
  pendingMarkStore,
} from '../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { sumRequester } from '../../../functions/ledger/rollups/marks/requestSums.ts';
import { markSummer } from '../../../functions/ledger/rollups/marks/sumMarks.ts';
import { readRollups } from '../../../functions/ledger/rollups/readRollups.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { countedGroups, sumGroups } from '../../../functions/ledger/rollups/rollup.ts';
import { type RollupWriter, rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import {
  type RollupComputerStores,
  rollupComputer,
} from '../../../functions/ledger/rollups/summing/recompute.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RollupGroup } from '../../../schemas/ledger/rollup.ts';

/** Computes rollups on the real tables, with no watched tags. */
export const testComputer = (
  stores: Pick<RollupComputerStores, 'ledger' | 'clock'> & Partial<RollupComputerStores>,
) =>
  rollupComputer({
    rollups: rollupWriter('rollups'),
    limitGroups: groupLimiter(groupDirectory('rollups')),
    watchedTags: async () => new Set(),
    ...stores,
  });

type SummerStores = Parameters<typeof markSummer>[0];

/**
 * Sums the marks of changed minutes on the real tables. `given` replaces stores, to inject faults. `newId` gives the ids of
 * marks for minutes that are left.
 */
export const testSummer = (
  given: {
    readonly queue: Parameters<typeof sumRequester>[0]['queue'];
    readonly clock: () => number;
    readonly newId: () => string;
    readonly ledger?: LedgerReader;
    readonly rollups?: RollupWriter;
    readonly pendingMarks?: PendingMarkStore;
  } & Partial<Pick<SummerStores, 'onSummed' | 'clockSlack'>>,
) => {
  const { queue, clock, newId, onSummed = async () => undefined, clockSlack = 5_000 } = given;
  const {
    ledger = ledgerReader('ledger', clock),
    rollups = rollupWriter('rollups'),
    pendingMarks = pendingMarkStore('counters'),
  } = given;
  const requestSums = sumRequester({ pendingMarks, queue, clock, newId });
  const compute = testComputer({ ledger, rollups, clock });
  const sumMarks = markSummer({
    ledger,
    compute,
    onSummed,
    pendingMarks,
    requestSums,
    queue,
    clock,
    clockSlack,
  });
  return { requestSums, sumMarks };
};

/** The groups of a period, computed by a scan of the ledger. */
export const groupsInLedger = async (
  ledger: LedgerReader,
  tenant: Tenant,
  period: { readonly from: number; readonly to: number },
  asOf: number,
  watchedTags: ReadonlySet<string> = new Set(),
): Promise<RollupGroup[]> => {
  const { items } = await listRecords(ledger, {
    tenant,
    period,
    descending: false,
    after: undefined,
    residency: null,
    asOf,
    limit: 10_000,
  });
  return sumGroups(
    countedGroups(
      items.map(({ attribution }) => attribution),
      { watched: watchedTags, costAllocation: [] },
    ),
  );
};

/** The groups of a period, as reports read them. */
export const groupsInRollups = async (
  { tenant_id }: Tenant,
  period: { readonly from: number; readonly to: number },
): Promise<RollupGroup[]> =>
  sumGroups((await readRollups(rollupReader('rollups'), tenant_id, period)).flatMap(({ groups }) => groups));

export const minuteOf = (at: number): number => Math.floor(at / LENGTH.minute);
