import {
  getUnitCostsReport,
  type TokenCosts,
  type UnitCostRow,
  type UnitCostsReport,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { note } from '../terminal.ts';
import { shown } from '../text.ts';
import { COHORT_GROUPS, groupColumns, rangeText, unknownBeside } from './groups.ts';
import { isForPeople, pageOptions, pageQuery, printCollection, rangeOptions } from './lists.ts';

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
    value: ({ person_costs: { low_usd: low, high_usd: high } }) =>
      low === null || high === null ? null : rangeText(low, high),
    isAmount: true,
  },
  perMillion('PER M INPUT', 'uncached_input'),
  perMillion('PER M CACHED', 'cached_input'),
  perMillion('PER M OUTPUT', 'output'),
  { title: 'CACHE SHARE', value: ({ cache: { share } }) => share, isAmount: true },
  { title: 'CACHE SAVED', value: ({ cache: { saving_usd: saving } }) => saving, isAmount: true },
];

export const unitCosts: Command = {
  name: 'unit-costs',
  summary: 'Report the cost of a call, a person and a million tokens of each kind',
  options: {
    'group-by': {
      placeholder: 'FIELDS',
      help: 'Comma-separated, also a tag such as tag:env',
      values: COHORT_GROUPS,
    },
    ...rangeOptions,
    ...pageOptions,
  },
  run: async (call) => {
    const { terminal, option } = call;
    const groupBy = option('group-by');
    const query: object = {
      group_by: groupBy,
      from: option('from'),
      to: option('to'),
      ...pageQuery(call),
    };
    let report: UnitCostsReport | undefined;
    await printCollection<UnitCostRow, UnitCostsReport>(
      call,
      getUnitCostsReport(call.client(), query, { signal: terminal.signal }),
      (page) => {
        report = page;
        return [...groupColumns<UnitCostRow>(groupBy === undefined ? [] : groupBy.split(',')), ...columns];
      },
      'No calls in this period.',
    );
    if (report !== undefined && isForPeople(call)) {
      const { totals, period } = report;
      note(
        terminal,
        `All calls: ${shown(totals.cost_per_invocation_usd)} USD a call, from ${period.from} to ${period.to}`,
      );
    }
  },
};
