import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';

/** Labels from the command line. They complete a trace without labels, and override those of invocation events. */
export interface Labels {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly service?: string | undefined;
  readonly identity?: string | undefined;
}

/** An event without its id and its times, which the replay sets. */
export type Call = Omit<InvocationEvent, 'event_id' | 'ingestion_timestamp' | 'occurred_at'>;

/** One readable row of a file. */
export interface Row {
  /** Row number from 1. Includes refused rows, but not the header and blank lines. */
  readonly number: number;
  readonly line: number;
  /** Time of the call in epoch milliseconds, or in milliseconds since the start of a relative trace. */
  readonly at: number;
  /** Time of capture, on the same scale. */
  readonly capturedAt: number;
  readonly call: Call;
  /** The event id in the file, if any. */
  readonly ownId?: string;
}

/** A row that cannot be sent, and the reason. The reason never contains values of the row. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

export interface RefusedRow extends Refusal {
  readonly number: number;
}

export type ReadRow = Row | RefusedRow;

export const isRefused = (row: ReadRow): row is RefusedRow => 'reason' in row;

/** The file has an unsupported format, or cannot be read completely. */
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

/** A call of a trace that contains only token counts. */
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
