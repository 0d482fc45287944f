import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { Observation } from '../../functions/prediction/observation.ts';
import { TokenCount } from '../../schemas/values.ts';

/** A call of the trace: what a producer would send about it, and who truly made it. */
export interface Call {
  readonly observation: Observation;
  readonly truth: string;
}

/** The file cannot be evaluated; the message tells which line and why. */
export class UnreadableTrace extends Error {
  override readonly name = 'UnreadableTrace';
}

const COLUMNS = ['t_s', 'category', 'model', 'client_id', 'input_tokens', 'output_tokens'] as const;

const Tokens = z.string().regex(/^\d+$/).transform(Number).pipe(TokenCount);
const Name = z.string().min(1);

const Row = z.object({
  t_s: z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .transform(Number),
  category: Name,
  model: Name,
  client_id: Name,
  input_tokens: Tokens,
  output_tokens: Tokens,
});

const Parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }));

const parseCsv = (text: string): z.infer<typeof Parsed> => {
  try {
    return Parsed.parse(
      parse(text, { bom: true, info: true, trim: true, relax_column_count: true, skip_empty_lines: true }),
    );
  } catch (error) {
    throw new UnreadableTrace(`It is no CSV file: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/**
 * Reads the calls of a trace, in time order. A caller's id names who made a call and is never observed;
 * the category is what a producer sends as the operation. Throws UnreadableTrace.
 */
export const readCalls = (text: string): Call[] => {
  const [header, ...rows] = parseCsv(text);
  if (header === undefined) throw new UnreadableTrace('The file is empty.');
  const missing = COLUMNS.filter((column) => !header.record.includes(column));
  if (missing.length > 0) throw new UnreadableTrace(`The header lacks ${missing.join(', ')}.`);
  if (rows.length === 0) throw new UnreadableTrace('The file has a header and no rows.');
  const columnIndexes = COLUMNS.map((column) => [column, header.record.indexOf(column)] as const);
  return rows
    .map(({ record, info }) => {
      const row = Row.safeParse(
        Object.fromEntries(columnIndexes.map(([column, at]) => [column, record[at] ?? ''])),
      );
      if (!row.success) {
        const columns = [...new Set(row.error.issues.map(({ path }) => String(path[0])))];
        throw new UnreadableTrace(`Line ${info.lines}: ${columns.join(', ')} cannot be read.`);
      }
      const { t_s, category, model, client_id, input_tokens, output_tokens } = row.data;
      return {
        truth: `${model}\u0000${client_id}`,
        observation: {
          occurredAt: Math.round(t_s * 1_000),
          provider: 'trace',
          requested_model: model,
          operation: category,
          ingestion_layer: 'replay',
          input_tokens,
          output_tokens,
        },
      };
    })
    .sort((a, b) => a.observation.occurredAt - b.observation.occurredAt);
};
