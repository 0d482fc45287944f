import type { PriceRules } from '../../../impact/price/rules/priceRules.ts';
import { publishedRules } from '../../../impact/price/rules/publishedRules.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { type BilledDay, billedOf, billedTogether } from '../rows/bill.ts';
import type { BilledModel } from '../rows/billedModel.ts';
import { normalizeModel } from '../rows/normalizeModel.ts';
import { compareWithBill, type DatedBalance } from './balance.ts';
import { differenceParts } from './differenceParts.ts';
import { recordedOf } from './recorded.ts';
import { recordedTokens } from './recordedTokens.ts';
import type { TierRules } from './tierEffect.ts';

/** One model, or the charges without a model, on one UTC day: the finest unit of comparison. */
interface Cell extends BilledModel {
  readonly day: string;
}

/**
 * The smallest set of cells that contains its cohorts completely, with all bills of these cells. Both sides are complete, so
 * the difference is meaningful.
 */
export interface Block {
  /** Provider and model. Absent when a cohort hides them or when there are several. */
  readonly line: Partial<BilledModel>;
  /** The UTC day on which it is counted: the latest day of its cohorts. */
  readonly day: string;
  /** Whether all its calls and charges are of that day. */
  readonly isPunctual: boolean;
  readonly cohorts: readonly Cohort[];
  readonly bills: readonly BilledDay[];
  readonly balance: DatedBalance;
}

const keyOf = ({ provider, model, day }: Cell): string => JSON.stringify([provider, model, day]);

/** The cells of a cohort's records, by key. */
const cellsIn = ({ parts }: Cohort): Map<string, Cell> => {
  const cells = new Map<string, Cell>();
  for (const { cell } of new Map(parts.map((part) => [part.cell, part])).values()) {
    const { provider, served_model } = cell.labels;
    const billingCell = { ...normalizeModel(provider ?? '', served_model ?? ''), day: utcDateOf(cell.day) };
    cells.set(keyOf(billingCell), billingCell);
  }
  return cells;
};

interface CohortCells {
  readonly cohort: Cohort;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** Connected components of cohorts that share cells (union-find). */
const connectedComponents = (cohorts: readonly Cohort[]): CohortCells[][] => {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    // Path compression.
    if (root !== key) parents.set(key, root);
    return root;
  };
  const all = cohorts.map((cohort) => ({ cohort, cells: cellsIn(cohort) }));
  for (const { cells } of all) {
    const [first, ...others] = cells.keys();
    if (first === undefined) continue;
    for (const other of others) {
      const [one, two] = [rootOf(first), rootOf(other)];
      if (one !== two) parents.set(two, one);
    }
  }
  return [
    ...Map.groupBy(all, ({ cells }) => {
      const [first = ''] = cells.keys();
      return rootOf(first);
    }).values(),
  ];
};

/** The value that all have in common; undefined when they differ or there are none. */
const sharedBy = <Value>(values: readonly Value[]): Value | undefined => {
  const [value, ...others] = new Set(values);
  return others.length === 0 ? value : undefined;
};

/**
 * The provider and model that may be shown for a block. A name that a cohort hides stays hidden, even if all cells share it.
 */
const visibleLine = (cohorts: readonly Cohort[], cells: readonly Cell[]): Partial<BilledModel> => {
  const isVisible = (name: 'provider' | 'served_model') => cohorts.every(({ labels }) => name in labels);
  const provider = isVisible('provider') ? sharedBy(cells.map((cell) => cell.provider)) : undefined;
  if (provider === undefined) return {};
  const model = isVisible('served_model') ? sharedBy(cells.map((cell) => cell.model)) : undefined;
  return model === undefined ? { provider } : { provider, model };
};

/** Compares the cohorts of a block with its bills. Models that are not shown are compared only as a whole. */
const balanceOf = (
  cohorts: readonly Cohort[],
  bills: readonly BilledDay[],
  { provider, model }: Partial<BilledModel>,
  isChanged: boolean,
  tierRules: TierRules,
): DatedBalance => {
  const recorded = recordedOf(cohorts);
  const parts = differenceParts({
    line: provider && model ? { provider, model } : null,
    recorded: { ...recorded, tokens: (kinds) => recordedTokens(cohorts, kinds) },
    rows: bills.flatMap(({ rows }) => rows).filter(({ usage }) => usage),
    tierRules,
  });
  return compareWithBill(recorded, billedTogether(bills), isChanged, parts);
};

/**
 * Divides cohorts and bills into blocks. Pass all cohorts and bills of whole months, so that blocks depend only on the
 * months and never on the query. `madeOn` maps the start of a day to the time at which its rollups were computed (epoch
 * milliseconds).
 */
export const blocksOf = (
  cohorts: readonly Cohort[],
  bills: readonly BilledDay[],
  madeOn: ReadonlyMap<number, number>,
  rules: PriceRules = publishedRules,
): Block[] => {
  const unmatched = new Map(bills.map((bill) => [keyOf(bill), bill]));
  const recorded = connectedComponents(cohorts).map((component): Block => {
    const cells = new Map(component.flatMap((one) => [...one.cells]));
    const billed = [...cells.keys()].flatMap((key) => unmatched.get(key) ?? []);
    for (const key of cells.keys()) unmatched.delete(key);
    const blockCohorts = component.map(({ cohort }) => cohort);
    const day = utcDateOf(blockCohorts.reduce((last, { at }) => Math.max(last, startOf('day', at)), 0));
    const isChanged = billed.some((bill) => (madeOn.get(Date.parse(bill.day)) ?? 0) > billedOf(bill).at);
    const line = visibleLine(blockCohorts, [...cells.values()]);
    return {
      line,
      day,
      isPunctual: [...cells.values()].every((cell) => cell.day === day),
      cohorts: blockCohorts,
      bills: billed,
      balance: balanceOf(blockCohorts, billed, line, isChanged, { rules, at: new Date(day) }),
    };
  });
  const billedOnly = [...unmatched.values()].map((bill): Block => {
    const { provider, model, day } = bill;
    const line = { provider, model };
    const balance = balanceOf([], [bill], line, false, { rules, at: new Date(day) });
    return { line, day, isPunctual: true, cohorts: [], bills: [bill], balance };
  });
  return [...recorded, ...billedOnly];
};
