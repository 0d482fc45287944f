import { postCallLogs } from '../../../schemas/routes/ingest/callLogs.ts';
import { itemsMaximumOf } from '../../../schemas/routes/route.ts';
import { CONTENT_DEPTH_MAXIMUM, decodeText, parseContentJson } from '../../platform/shared/json.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { type LogBudget, logBudget, readCallLog } from '../formats/callLog.ts';
import { binaryCloudEvent } from '../formats/cloudEvent.ts';
import { rowNumbers } from '../rows/rowIdentity.ts';
import { eventsOfUsageRow } from '../rows/usageRow.ts';
import { rowsOfCsv } from './csv.ts';
import { countsTokens, UNKNOWN_ENTRY } from './unknownEntry.ts';

/** The calls in a body. Events are not yet validated. */
export interface DecodedCallLogs {
  readonly events: readonly Record<string, unknown>[];
  /** Entries that are no calls, or of an unknown format. */
  readonly skipped: number;
  readonly warnings: readonly string[];
}

/** A line, without the space before it. Blank lines match nothing. */
const LINE = /\S[^\n]*/g;

/**
 * The entries of a body: one JSON value, a list, lines of JSON or a table in CSV whatever the media type says, because LiteLLM
 * sends lines as application/json. A line that is no JSON is an entry of an unknown format.
 */
const entriesOf = (text: string, budget: LogBudget): readonly unknown[] => {
  const { items, records } = budget;
  const whole = parseContentJson(text, items);
  if (whole !== null) {
    const entries: readonly unknown[] = Array.isArray(whole.value) ? whole.value : [whole.value];
    records.spend(entries.length);
    return entries;
  }
  const entries: unknown[] = [];
  let isJson = false;
  for (const [line] of text.matchAll(LINE)) {
    records.spend();
    const parsed = parseContentJson(line, items);
    isJson ||= parsed !== null;
    entries.push(parsed?.value);
  }
  if (isJson) return entries;
  const rows = rowsOfCsv(text, budget);
  if (rows !== null) return rows;
  throw new ProblemError(
    'INVALID_REQUEST',
    `The body is neither JSON nor lines of JSON, of at most ${CONTENT_DEPTH_MAXIMUM} levels, nor CSV with a line of names.`,
  );
};

/** Reads a body of call logs. `receivedAt` is in epoch milliseconds. Throws INVALID_REQUEST or PAYLOAD_TOO_LARGE. */
export const decodeCallLogs = (
  bytes: Buffer,
  _mediaType: string,
  receivedAt: number,
  header: (name: string) => string | undefined = () => undefined,
): DecodedCallLogs => {
  // Some senders test a connection with an empty body.
  if (bytes.byteLength === 0) return { events: [], skipped: 0, warnings: [] };
  const warnings = new Set<string>();
  const at = new Date(receivedAt).toISOString();
  const budget = logBudget(itemsMaximumOf(postCallLogs.body));
  const reading = { receivedAt: at, warnings, items: budget.items, numberRow: rowNumbers() };
  const readRow = (row: unknown, around?: string) => eventsOfUsageRow(row, { ...reading, around });
  const logs = entriesOf(decodeText(bytes), budget).map((entry) => {
    const told = warnings.size;
    const log = readCallLog(binaryCloudEvent(header, entry) ?? entry, at, warnings, budget, readRow);
    if (log === null && warnings.size === told && countsTokens(entry)) warnings.add(UNKNOWN_ENTRY);
    return log;
  });
  return {
    events: logs.flatMap((log) => log?.events ?? []),
    skipped: logs.reduce((sum, log) => sum + (log === null ? 1 : log.skipped), 0),
    warnings: [...warnings],
  };
};
