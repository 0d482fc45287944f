import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';

/** What the options say about the calls of a trace that says nothing itself, or override where it does. */
export interface Labels {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly service?: string | undefined;
  readonly identity?: string | undefined;
}

/** An event without what replaying decides: its id, where the file brings none, and its times. */
export type Call = Omit<InvocationEvent, 'event_id' | 'ingestion_timestamp' | 'occurred_at'>;

/** One readable row of a file. */
export interface Row {
  /** Counts the file's rows from 1, refused ones included, header and blank lines not. */
  readonly number: number;
  readonly line: number;
  /** When the call was made: epoch milliseconds, or milliseconds since the trace began where the format is relative. */
  readonly at: number;
  /** When the capture layer saw it, on the same scale. */
  readonly capturedAt: number;
  readonly call: Call;
  /** The event id the file brings itself. */
  readonly ownId?: string;
}

/** A row that cannot be sent, and why. Its values are not repeated. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

export interface RefusedRow extends Refusal {
  readonly number: number;
}

export type ReadRow = Row | RefusedRow;

export const isRefused = (row: ReadRow): row is RefusedRow => 'reason' in row;

/** The file is not one of the formats that can be replayed, or cannot be read to its end. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** `Azure LLM_conv 2023` → `azure-llm-conv-2023`. */
export const kebabCase = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();

/** A call of a trace that has token counts and nothing else. */
export const labelledCall = (
  labels: Labels,
  defaultService: string,
  usage: Pick<InvocationEvent, 'input_tokens' | 'output_tokens' | 'cached_input_tokens'>,
): Call => ({
  ingestion_layer: 'replay',
  provider: labels.provider ?? 'azure',
  requested_model: labels.model ?? 'gpt-4o',
  operation: 'chat',
  ...usage,
  attributed_service: labels.service ?? defaultService,
  ...(labels.identity !== undefined && { attributed_identity: labels.identity }),
});
