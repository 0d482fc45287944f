import { ProblemError } from '../../platform/shared/problem.ts';
import { readCallLog } from '../formats/callLog.ts';
import { binaryCloudEvent } from '../formats/cloudEvent.ts';

/** The calls in a body. Events are not yet validated. */
export interface DecodedCallLogs {
  readonly events: readonly Record<string, unknown>[];
  /** Entries that are no calls, or of an unknown format. */
  readonly skipped: number;
  readonly warnings: readonly string[];
}

const parse = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/**
 * The entries of a body: one JSON value, a list, or lines of JSON whatever the media type says, because LiteLLM sends lines as
 * application/json. Content of any shape is in them, so the rules for other JSON bodies do not apply: only own members on an
 * allow-list are read. A line that is no JSON is an entry of an unknown format.
 */
const entriesOf = (text: string): readonly unknown[] => {
  const whole = parse(text);
  if (whole !== null) return Array.isArray(whole.value) ? whole.value : [whole.value];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(parse);
  if (values.every((value) => value === null)) {
    throw new ProblemError('INVALID_REQUEST', 'The body is neither JSON nor lines of JSON.');
  }
  return values.map((parsed) => parsed?.value);
};

/** Reads a body of call logs. `receivedAt` is in epoch milliseconds. Throws INVALID_REQUEST. */
export const decodeCallLogs = (
  bytes: Buffer,
  _mediaType: string,
  receivedAt: number,
  header: (name: string) => string | undefined = () => undefined,
): DecodedCallLogs => {
  // Some senders test a connection with an empty body.
  if (bytes.byteLength === 0) return { events: [], skipped: 0, warnings: [] };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError('INVALID_REQUEST', 'The body is not valid UTF-8.');
  }
  const warnings = new Set<string>();
  const at = new Date(receivedAt).toISOString();
  const logs = entriesOf(text).map((entry) =>
    readCallLog(binaryCloudEvent(header, entry) ?? entry, at, warnings),
  );
  return {
    events: logs.flatMap((log) => log?.events ?? []),
    skipped: logs.reduce((sum, log) => sum + (log === null ? 1 : log.skipped), 0),
    warnings: [...warnings].slice(0, 10),
  };
};
