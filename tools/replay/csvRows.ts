import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import * as z from 'zod';
import { TokenCount } from '../../schemas/values.ts';
import { type Labels, labelledCall, type ReadRow, UnreadableFile } from './row.ts';
import { parseTimestamp } from './timestamp.ts';

/** Names a column may have, in lower case. */
const COLUMNS = {
  timestamp: ['timestamp'],
  input: ['contexttokens', 'input_tokens'],
  output: ['generatedtokens', 'output_tokens'],
} as const;

/** A line longer than this is no row of a trace; without a bound a file without line feeds would be held whole. */
const LINE_BYTES_MAXIMUM = 1_048_576;

const Parsed = z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) });
type Columns = Record<keyof typeof COLUMNS, number>;

/** Cells may stand in quotes. The parser leaves quotes alone, since one stray quote would swallow all rows after it. */
const unquote = (cell: string): string => /^"(.*)"$/.exec(cell)?.[1]?.trim() ?? cell;

const findColumns = (header: readonly string[]): Columns => {
  const names = header.map((name) => unquote(name).toLowerCase());
  const find = (spellings: readonly string[]): number => names.findIndex((name) => spellings.includes(name));
  const columns = {
    timestamp: find(COLUMNS.timestamp),
    input: find(COLUMNS.input),
    output: find(COLUMNS.output),
  };
  if (Object.values(columns).includes(-1)) {
    throw new UnreadableFile(
      'The CSV header names neither TIMESTAMP, ContextTokens, GeneratedTokens nor timestamp, input_tokens, output_tokens.',
    );
  }
  return columns;
};

const parseTokens = (cell: string): number | undefined =>
  /^\d+$/.test(cell) ? TokenCount.safeParse(Number(cell)).data : undefined;

/** Rows of a CSV trace with a header. Throws UnreadableFile where the header or a line cannot be one of such a file. */
export async function* csvRows(
  chunks: AsyncIterable<Uint8Array>,
  labels: Labels,
  defaultService: string,
): AsyncGenerator<ReadRow> {
  const parser = parse({
    bom: true,
    info: true,
    quote: false,
    trim: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES_MAXIMUM,
  });
  // The parser is destroyed with the stream's fault, so its iteration below throws it.
  pipeline(Readable.from(chunks), parser, () => undefined);

  let columns: Columns | undefined;
  let number = 0;
  for await (const parsed of parser) {
    const { record, info } = Parsed.parse(parsed);
    if (columns === undefined) {
      columns = findColumns(record);
      continue;
    }
    number += 1;
    const position = { number, line: info.lines };
    const cell = (index: number): string => unquote(record[index] ?? '');
    const at = parseTimestamp(cell(columns.timestamp));
    const input = parseTokens(cell(columns.input));
    const output = parseTokens(cell(columns.output));
    if (at === undefined) yield { ...position, reason: 'the timestamp cannot be read' };
    else if (input === undefined) yield { ...position, reason: 'the input tokens are not a token count' };
    else if (output === undefined) yield { ...position, reason: 'the output tokens are not a token count' };
    else {
      const call = labelledCall(labels, defaultService, { input_tokens: input, output_tokens: output });
      yield { ...position, at, capturedAt: at, call };
    }
  }
}
