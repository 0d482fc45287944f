import type { Line } from './lines.ts';
import type { ReadRow } from './row.ts';

/** The parsed row of one JSON value. */
export type ParsedRow<Row extends ReadRow = ReadRow> = Row extends ReadRow
  ? Omit<Row, 'number' | 'line'>
  : never;

/** The rows of a JSON Lines file, parsed by `parseRow`. A line that is not JSON becomes a refused row. */
export async function* jsonRows(
  lines: AsyncIterable<Line>,
  parseRow: (value: unknown) => ParsedRow,
): AsyncGenerator<ReadRow> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const position = { number, line: line.number };
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch {
      yield { ...position, reason: 'not a JSON value' };
      continue;
    }
    yield { ...position, ...parseRow(value) };
  }
}
