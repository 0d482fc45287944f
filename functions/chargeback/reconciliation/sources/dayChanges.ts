import type { BilledDay, KeyedRow } from '../bill.ts';
import type { BilledModel } from '../normalizeModel.ts';
import { isSameAccount, type SourceAccount } from './billSource.ts';

const keyOf = ({ provider, model }: BilledModel, rowKey: string): string =>
  JSON.stringify([provider, model, rowKey]);

/** Whose report of a day is written. */
export interface ReportedScope extends SourceAccount {
  readonly sourceId: string;
  /** The sources of the tenant that exist, this one included. */
  readonly existing: ReadonlySet<string>;
  /** When the report was requested, in epoch milliseconds. */
  readonly at: number;
}

/** Whether a report describes a row: the source wrote it, or one of the same account that no longer exists. */
const isDescribed = (
  { line, row }: Pick<KeyedRow, 'line' | 'row'>,
  { sourceId, provider, account, existing }: ReportedScope,
): boolean => {
  if (row.source === undefined) return false;
  if (row.source === sourceId) return true;
  const other = { provider: line.provider, account: row.account ?? null };
  return !existing.has(row.source) && isSameAccount(other, { provider, account });
};

/**
 * The rows that must be written so that the stored bills of a day agree with a report of a source. Unchanged rows are not
 * written again. A row that the report describes and does not contain becomes zero; all others stay.
 */
export const changesOfDay = (
  stored: readonly BilledDay[],
  reported: readonly KeyedRow[],
  scope: ReportedScope,
): KeyedRow[] => {
  const storedRows = new Map(
    stored.flatMap(({ provider, model, day, rows }) =>
      Object.entries(rows).map(([rowKey, row]) => [
        keyOf({ provider, model }, rowKey),
        { line: { provider, model }, day, rowKey, row },
      ]),
    ),
  );
  const reportedKeys = new Set(reported.map(({ line, rowKey }) => keyOf(line, rowKey)));
  const changed = reported.filter(({ line, rowKey, row }) => {
    const before = storedRows.get(keyOf(line, rowKey))?.row;
    return (
      before?.cost !== row.cost ||
      before.source !== row.source ||
      before.end !== row.end ||
      before.tier !== row.tier ||
      before.tokens?.kind !== row.tokens?.kind ||
      before.tokens?.count !== row.tokens?.count ||
      before.tokens?.region !== row.tokens?.region
    );
  });
  const withdrawn = [...storedRows]
    .filter(
      ([key, stored]) => stored.row.cost !== '0' && !reportedKeys.has(key) && isDescribed(stored, scope),
    )
    .map(([, keyedRow]) => {
      const { tokens: _tokens, ...row } = keyedRow.row;
      return { ...keyedRow, row: { ...row, cost: '0', at: scope.at } };
    });
  return [...changed, ...withdrawn];
};
