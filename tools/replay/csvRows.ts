import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import * as z from 'zod';
import { TokenCount } from '../../schemas/values.ts';
import { type Labels, labelledCall, type ReadRow, UnreadableFile } from './row.ts';
import { parseTimestamp } from './timestamp.ts';

/** Accepted column names, in lower case. */
const COLUMNS = {
  timestamp: ['timestamp'],
  input: ['contexttokens', 'input_tokens'],
  output: ['generatedtokens', 'output_tokens'],
} as const;

/** Without this limit, a file without line feeds would be loaded into memory as one line. */
const LINE_BYTES_MAXIMUM = 1_048_576;

const Parsed = z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) });
type Columns = Record<keyof typeof COLUMNS, number>;

/** Removes quotes around a cell. The parser ignores quotes, because one stray quote would swallow all following rows. */
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
      'The CSV header must contain TIMESTAMP, ContextTokens, GeneratedTokens or timestamp, input_tokens, output_tokens.',
    );
  }
  return columns;
};

const parseTokens = (cell: string): number | undefined =>
  /^\d+$/.test(cell) ? TokenCount.safeParse(Number(cell)).data : undefined;

/** The rows of a CSV trace with a header. Throws UnreadableFile if the header or the format is invalid. */
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
  // A stream error destroys the parser, so the iteration below throws it.
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
    if (at === undefined) yield { ...position, reason: 'the timestamp is invalid' };
    else if (input === undefined) yield { ...position, reason: 'the input tokens are not a token count' };
    else if (output === undefined) yield { ...position, reason: 'the output tokens are not a token count' };
    else {
      const call = labelledCall(labels, defaultService, { input_tokens: input, output_tokens: output });
      yield { ...position, at, capturedAt: at, call };
    }
  }
}
