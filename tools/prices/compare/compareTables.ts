import type { PriceFactors } from '../../../functions/impact/price/listCost.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { costOf, type DatedTable, type Statement, statementsOf } from './callsOfTables.ts';

/** Two costs are the same if they differ by no more than this share: tables round. */
const TOLERANCE = '0.01';

const isSame = (one: string, other: string): boolean =>
  decimal(one).minus(other).abs().lte(decimal(other).times(TOLERANCE));

/** How the cost of this service relates to that of a table, on the day of the table. */
type Agreement = 'equal' | 'in range' | 'different' | 'unpriced';

interface ComparedStatement {
  readonly table: string;
  readonly usd: string;
  readonly agreement: Agreement;
  /** The cost of this service with its range, for a reader. */
  readonly ours: string;
  readonly isExact: boolean;
}

/** A call about which several tables say something. */
export interface ComparedCall {
  readonly call: string;
  readonly statements: readonly ComparedStatement[];
  /** Statements of the same cost by more than half of the tables. Empty if they are divided. */
  readonly majority: readonly ComparedStatement[];
}

const compared = ({ table, event, usd }: Statement, factors: PriceFactors): ComparedStatement => {
  const cost = costOf(event, table.day, factors);
  const basis = { table: table.name, usd };
  if (cost === null) return { ...basis, agreement: 'unpriced', ours: 'none', isExact: false };
  const { low, central, high } = cost;
  const isWithin = isSame(low, usd) || isSame(high, usd) || (decimal(low).lte(usd) && decimal(high).gte(usd));
  const outside = isWithin ? 'in range' : 'different';
  return {
    ...basis,
    agreement: isSame(central, usd) ? 'equal' : outside,
    ours: `${central} (${low} to ${high})`,
    isExact: low === high,
  };
};

const majorityOf = (statements: readonly ComparedStatement[]): readonly ComparedStatement[] =>
  statements
    .map(({ usd }) => statements.filter((other) => isSame(other.usd, usd)))
    .find((alike) => alike.length * 2 > statements.length) ?? [];

/** Compares the cost of this service with that of each call about which at least two tables say something. */
export const compareTables = (tables: readonly DatedTable[], factors: PriceFactors): ComparedCall[] =>
  [...Map.groupBy(tables.flatMap(statementsOf), ([call]) => call)].flatMap(([call, entries]) => {
    if (entries.length < 2) return [];
    const statements = entries.map(([, statement]) => compared(statement, factors));
    return [{ call, statements, majority: majorityOf(statements) }];
  });

const agreesWithOne = (statements: readonly ComparedStatement[]): boolean =>
  statements.some(({ agreement }) => agreement === 'equal' || agreement === 'in range');

/**
 * Whether the cost is that of the majority, on the day of any of its tables: prices change between them. Where the tables are
 * divided, whether it is that of one.
 */
export const isAgreed = ({ majority, statements }: ComparedCall): boolean =>
  agreesWithOne(majority.length > 0 ? majority : statements);
