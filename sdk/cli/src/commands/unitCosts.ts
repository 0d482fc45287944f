import {
  getUnitCostsReport,
  type TokenCosts,
  type UnitCostRow,
  type UnitCostsReport,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { shown } from '../text.ts';
import { unknownBeside } from './groups.ts';
import { pageOptions } from './lists.ts';
import { groupedOptions, printReport, reportQuery } from './reports.ts';

const perMillion = (
  title: string,
  kind: Exclude<keyof TokenCosts, 'undivided_usd'>,
): Column<UnitCostRow> => ({
  title,
  value: ({ token_costs: costs }) => costs[kind].usd_per_million,
  isAmount: true,
});

const columns: readonly Column<UnitCostRow>[] = [
  { title: 'CALLS', value: ({ invocations }) => invocations, isAmount: true },
  {
    title: 'COST USD',
    value: ({ cost_usd }) => cost_usd,
    remark: ({ cost_usd, unpriced_invocations }) => unknownBeside(cost_usd, unpriced_invocations),
    isAmount: true,
  },
  { title: 'PER CALL', value: ({ cost_per_invocation_usd: cost }) => cost, isAmount: true },
  {
    title: 'PER PERSON',
    range: ({ person_costs: { low_usd: low, high_usd: high } }) => ({ low, high }),
    isAmount: true,
  },
  perMillion('PER M INPUT', 'uncached_input'),
  perMillion('PER M CACHED', 'cached_input'),
  perMillion('PER M OUTPUT', 'output'),
  { title: 'CACHE SHARE', value: ({ cache: { share } }) => share, isAmount: true },
  { title: 'CACHE SAVED', value: ({ cache: { saving_usd: saving } }) => saving, isAmount: true },
];

/** The service sends outcomes only to callers that see single records. */
const outcomeColumns: readonly Column<UnitCostRow>[] = (['error', 'incomplete'] as const).flatMap(
  (status) => [
    {
      title: status === 'error' ? 'FAILED' : 'INCOMPLETE',
      value: ({ outcomes }: UnitCostRow) => outcomes?.[status].invocations ?? null,
      isAmount: true,
    },
    {
      title: status === 'error' ? 'FAILED USD' : 'INCOMPLETE USD',
      value: ({ outcomes }: UnitCostRow) => outcomes?.[status].cost_usd ?? null,
      remark: ({ outcomes }: UnitCostRow) =>
        unknownBeside(outcomes?.[status].cost_usd ?? null, outcomes?.[status].unpriced_invocations ?? 0),
      isAmount: true,
    },
  ],
);

export const unitCosts: Command = {
  name: 'unit-costs',
  summary: 'Report the cost of a call, a person and a million tokens of each kind',
  options: { ...groupedOptions(), ...pageOptions },
  run: (call) => {
    const query: object = reportQuery(call);
    return printReport<UnitCostRow, UnitCostsReport>(
      call,
      getUnitCostsReport(call.client(), query, { signal: call.terminal.signal }),
      {
        columns: ({ totals }) => (totals.outcomes === undefined ? columns : [...columns, ...outcomeColumns]),
        empty: 'No calls in this period.',
        notes: ({ totals, period }) => [
          `All calls: ${shown(totals.cost_per_invocation_usd)} USD a call, from ${period.from} to ${period.to}`,
        ],
      },
    );
  },
};
