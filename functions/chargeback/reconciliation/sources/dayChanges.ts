import type { BilledDay, KeyedRow } from '../bill.ts';
import type { BilledModel } from '../normalizeModel.ts';

const keyOf = ({ provider, model }: BilledModel, rowKey: string): string =>
  JSON.stringify([provider, model, rowKey]);

/**
 * The rows that must be written so that the stored bills of a day agree with a report of a source. Unchanged rows are not
 * written again. A row that the source wrote and no longer reports becomes zero; rows that others wrote stay.
 * `at` is when the report was requested, in epoch milliseconds.
 */
export const changesOfDay = (
  stored: readonly BilledDay[],
  reported: readonly KeyedRow[],
  { sourceId, at }: { readonly sourceId: string; readonly at: number },
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
      before.end !== row.end ||
      before.tier !== row.tier ||
      before.tokens?.kind !== row.tokens?.kind ||
      before.tokens?.count !== row.tokens?.count ||
      before.tokens?.region !== row.tokens?.region
    );
  });
  const withdrawn = [...storedRows]
    .filter(([key, { row }]) => row.source === sourceId && row.cost !== '0' && !reportedKeys.has(key))
    .map(([, keyedRow]) => {
      const { tokens: _tokens, ...row } = keyedRow.row;
      return { ...keyedRow, row: { ...row, cost: '0', at } };
    });
  return [...changed, ...withdrawn];
};
