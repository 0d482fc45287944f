import type { Cohort } from '../reports/cohorts.ts';
import { startOf } from '../rollups/grain.ts';
import { compareWithBill, type DatedBalance } from './balance.ts';
import { type BilledDay, billedOf, billedTogether } from './bill.ts';
import { type BilledModel, normalizeModel } from './normalizeModel.ts';
import { recordedOf } from './recorded.ts';

/** One model (or what names none) on one day of UTC: the finest that bills are compared by. */
interface Cell extends BilledModel {
  readonly day: string;
}

/**
 * The smallest set of cells that holds its cohorts wholly, with all bills of these cells. Both sides of a block are
 * complete, so its difference is a real one.
 */
export interface Block {
  /** Provider and model of all of it; absent where a cohort hides them, or where there are several. */
  readonly line: Partial<BilledModel>;
  /** The day of UTC on which it is counted: the last on which one of its cohorts is. */
  readonly day: string;
  /** Whether all of it happened on that day. */
  readonly isPunctual: boolean;
  readonly cohorts: readonly Cohort[];
  readonly balance: DatedBalance;
}

const keyOf = ({ provider, model, day }: Cell): string => JSON.stringify([provider, model, day]);
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The cells that a cohort has records of, by their keys. */
const cellsIn = ({ parts }: Cohort): Map<string, Cell> => {
  const cells = new Map<string, Cell>();
  for (const { cell } of new Map(parts.map((part) => [part.cell, part])).values()) {
    const { provider, served_model } = cell.labels;
    const found = { ...normalizeModel(provider ?? '', served_model ?? ''), day: dateOf(cell.day) };
    cells.set(keyOf(found), found);
  }
  return cells;
};

interface Touching {
  readonly cohort: Cohort;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** Sets of cohorts that are connected by the cells they share. */
const connected = (cohorts: readonly Cohort[]): Touching[][] => {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    // Keeps the paths short.
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

/** The one value that all have; undefined where they differ or there is none. */
const sharedBy = <Value>(values: readonly Value[]): Value | undefined => {
  const [value, ...others] = new Set(values);
  return others.length === 0 ? value : undefined;
};

/** What may be told of a block. A name that a cohort hides stays hidden, even where all cells share it. */
const lineTold = (cohorts: readonly Cohort[], cells: readonly Cell[]): Partial<BilledModel> => {
  const tells = (name: 'provider' | 'served_model') => cohorts.every(({ labels }) => name in labels);
  const provider = tells('provider') ? sharedBy(cells.map((cell) => cell.provider)) : undefined;
  if (provider === undefined) return {};
  const model = tells('served_model') ? sharedBy(cells.map((cell) => cell.model)) : undefined;
  return model === undefined ? { provider } : { provider, model };
};

/**
 * Divides cohorts and bills into blocks. Pass all cohorts and bills of whole months: blocks follow from the months alone,
 * never from what is asked. `madeOn` says when the sums of a day were made; both epoch milliseconds.
 */
export const blocksOf = (
  cohorts: readonly Cohort[],
  bills: readonly BilledDay[],
  madeOn: ReadonlyMap<number, number>,
): Block[] => {
  const left = new Map(bills.map((bill) => [keyOf(bill), bill]));
  const recorded = connected(cohorts).map((touching): Block => {
    const cells = new Map(touching.flatMap((one) => [...one.cells]));
    const billed = [...cells.keys()].flatMap((key) => left.get(key) ?? []);
    for (const key of cells.keys()) left.delete(key);
    const inside = touching.map(({ cohort }) => cohort);
    const day = dateOf(inside.reduce((last, { at }) => Math.max(last, startOf('day', at)), 0));
    const isChanged = billed.some((bill) => (madeOn.get(Date.parse(bill.day)) ?? 0) > billedOf(bill).at);
    return {
      line: lineTold(inside, [...cells.values()]),
      day,
      isPunctual: [...cells.values()].every((cell) => cell.day === day),
      cohorts: inside,
      balance: compareWithBill(recordedOf(inside), billedTogether(billed), isChanged),
    };
  });
  const notSeen = [...left.values()].map((bill): Block => {
    const { provider, model, day } = bill;
    const balance = compareWithBill(null, billedOf(bill), false);
    return { line: { provider, model }, day, isPunctual: true, cohorts: [], balance };
  });
  return [...recorded, ...notSeen];
};
