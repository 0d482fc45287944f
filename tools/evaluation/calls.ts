import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { Observation } from '../../functions/attribution/training/prediction/observation.ts';
import { TokenCount } from '../../schemas/values.ts';

/** A call of the trace: the observation of a producer, and the true caller. */
export interface Call {
  readonly observation: Observation;
  readonly truth: string;
  /** What the call costs, in USD or any other unit. */
  readonly cost: number;
}

/** The file cannot be evaluated. The message names the line and the reason. */
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
  cost_usd: z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .transform(Number)
    .optional(),
});

/** A trace states no prices. Of most models an output token costs four to five times as much as an input token. */
const OUTPUT_PRICE = 4;

const Parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }));

const parseCsv = (text: string): z.infer<typeof Parsed> => {
  try {
    return Parsed.parse(
      parse(text, { bom: true, info: true, trim: true, relax_column_count: true, skip_empty_lines: true }),
    );
  } catch (error) {
    throw new UnreadableTrace(
      `The file is not valid CSV: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/**
 * Reads the calls of a trace, in time order. The client id is the true label and not part of the observation. The
 * category becomes the operation. Throws UnreadableTrace.
 */
export const readCalls = (text: string): Call[] => {
  const [header, ...rows] = parseCsv(text);
  if (header === undefined) throw new UnreadableTrace('The file is empty.');
  const missing = COLUMNS.filter((column) => !header.record.includes(column));
  if (missing.length > 0) throw new UnreadableTrace(`The CSV header is missing ${missing.join(', ')}.`);
  if (rows.length === 0) throw new UnreadableTrace('The file has a header but no rows.');
  const columnIndexes = [...COLUMNS, 'cost_usd']
    .map((column) => [column, header.record.indexOf(column)] as const)
    .filter(([, index]) => index >= 0);
  return rows
    .map(({ record, info }) => {
      const row = Row.safeParse(
        Object.fromEntries(columnIndexes.map(([column, at]) => [column, record[at] ?? ''])),
      );
      if (!row.success) {
        const columns = [...new Set(row.error.issues.map(({ path }) => String(path[0])))];
        throw new UnreadableTrace(`Line ${info.lines}: invalid value of ${columns.join(', ')}.`);
      }
      const { t_s, category, model, client_id, input_tokens, output_tokens, cost_usd } = row.data;
      return {
        truth: `${model}\u0000${client_id}`,
        cost: cost_usd ?? input_tokens + OUTPUT_PRICE * output_tokens,
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
