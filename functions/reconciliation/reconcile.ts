import type { Rollup } from '../../schemas/rollup.ts';
import type { Grouping } from '../../schemas/routes/reconciliation.ts';
import { addFigures } from '../rollups/figures.ts';
import { addBalances, nothing, type Recorded, type Weighed, weigh } from './balance.ts';
import { type BilledDay, billedOf } from './bill.ts';
import { type BilledLine, lineOf } from './lineOf.ts';

/** What is compared: one model (or what names none) on one day of UTC. */
export interface Cell extends BilledLine {
  readonly day: string;
}

export interface Group {
  readonly cell: Cell;
  readonly balance: Weighed;
}

const keyOf = ({ provider, model, day }: Cell): string => JSON.stringify([provider, model, day]);

const recordedCells = (rollups: readonly Rollup[]): Map<string, { cell: Cell; recorded: Recorded }> => {
  const cells = new Map<string, { cell: Cell; recorded: Recorded }>();
  for (const { start, asOf, groups } of rollups) {
    const day = new Date(start).toISOString().slice(0, 10);
    for (const { dimensions, figures } of groups) {
      const cell = { ...lineOf(dimensions.provider, dimensions.served_model), day };
      const key = keyOf(cell);
      const known = cells.get(key)?.recorded;
      cells.set(key, {
        cell,
        recorded: {
          figures: known === undefined ? figures : addFigures(known.figures, figures),
          asOf: Math.max(asOf, known?.asOf ?? 0),
        },
      });
    }
  }
  return cells;
};

/** Every model and day of which there are records or a bill. `rollups` are of whole days. */
export const cellsOf = (rollups: readonly Rollup[], bills: readonly BilledDay[]): Group[] => {
  const recorded = recordedCells(rollups);
  const billed = new Map(bills.map((day) => [keyOf(day), day]));
  const both = new Map<string, Cell>([
    ...[...recorded].map(([key, { cell }]) => [key, cell] as const),
    ...[...billed].map(([key, { provider, model, day }]) => [key, { provider, model, day }] as const),
  ]);
  return [...both].map(([key, cell]) => {
    const bill = billed.get(key);
    const balance = weigh(recorded.get(key)?.recorded ?? null, bill === undefined ? null : billedOf(bill));
    return { cell, balance };
  });
};

/** Sums cells by some of their members, in the order of these. */
export const groupCells = (cells: readonly Group[], by: readonly Grouping[]): Group[] => {
  const groups = new Map<string, Group>();
  for (const { cell, balance } of cells) {
    const key = JSON.stringify(by.map((name) => cell[name] ?? ''));
    const known = groups.get(key);
    groups.set(key, {
      cell: known?.cell ?? cell,
      balance: known === undefined ? balance : addBalances(known.balance, balance),
    });
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
};

export const totalBalance = (cells: readonly Group[]): Weighed =>
  cells.reduce((total, { balance }) => addBalances(total, balance), nothing);
