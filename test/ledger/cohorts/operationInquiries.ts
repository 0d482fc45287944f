import readChanges from '../../../functions/insight/reports/getChangesReport.ts';
import readForecast from '../../../functions/insight/reports/getForecastReport.ts';
import readUnitCosts from '../../../functions/insight/reports/getUnitCostsReport.ts';
import readSavings from '../../../functions/insight/savings/getSavingsReport.ts';
import { noContent } from '../../../functions/ledger/records/content.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { TENANT } from '../../insight/reports/calls.ts';
import type { Inquiry } from '../../insight/reports/differencingAttack.ts';
import { publishedPrices } from '../../insight/reports/prices.ts';
import { caller, serve } from '../../platform/http/harness.ts';

const tenant = aTenant({ tenant_id: TENANT, residency: ['eu', 'us'] });

const operationsOver = (rollups: RollupReader) => {
  const stores = {
    ...publishedPrices,
    rollups: {
      read: async (...query: Parameters<RollupReader['read']>) =>
        (await rollups.read(...query)).map((rollup) => ({ ...rollup, content: noContent })),
    },
    cursorKey: async () => new Uint8Array(32),
    results: { keep: () => Promise.reject(new Error('more than a page')), read: async () => null },
    dismissals: { list: async () => [] },
    nodeHourLines: { list: () => Promise.reject(new Error('only with read:attribution')) },
    indexLag: {
      areRecordsStale: async () => false,
      totalsLag: async () => ({ isStale: false, incompleteSince: null }),
    },
  };
  return {
    changes: readChanges(stores),
    forecast: readForecast(stores),
    savings: readSavings(stores),
    unitCosts: readUnitCosts(stores),
  } satisfies Record<string, BoundOperation>;
};

/** The members of responses that are sums over calls. All others follow from sums of the same calls. */
const SUMS =
  /^(?:(?:previous_)?invocations|invocations_maximum|undetermined_invocations|(?:spent|cost|undivided)_usd(?:_maximum)?)$/;

/** Members that hold differences of two periods, which are no sums over calls and follow from those of the periods. */
const DIFFERENCES = 'parts';

/** The sums as bit sets of calls. A part of a cost that is no whole number names no set of calls. */
const sumsIn = (value: unknown): number[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
        if (name === DIFFERENCES) return [];
        return SUMS.test(name) && (typeof member === 'number' || typeof member === 'string')
          ? [Number(member)].filter((sum) => Number.isInteger(sum) && sum > 0)
          : sumsIn(member);
      });

export interface OperationQuestion {
  readonly operation: keyof ReturnType<typeof operationsOver>;
  readonly query: Readonly<Record<string, string>>;
  readonly lane: string | null;
  /** When it is asked, epoch milliseconds. */
  readonly now: number;
}

/** Asks an operation as a credential with `read:reporting` does. */
export const askOperation =
  ({ operation, query, lane, now }: OperationQuestion): Inquiry =>
  async (reader) => {
    const { route, run } = operationsOver(reader)[operation];
    const { status, body, text } = await serve(
      route,
      run,
      { headers: { 'x-api-key': 'ask_good' }, query: { ...query, limit: '200' } },
      {
        clock: () => now,
        authenticator: async () => ({
          ...caller,
          tenant,
          residency: lane,
          scopes: new Set(['read:reporting']),
        }),
      },
    );
    if (status !== 200) throw new Error(text);
    return sumsIn(body);
  };
