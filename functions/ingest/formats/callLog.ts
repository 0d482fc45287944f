import { RECORDS_MAXIMUM } from '../../../schemas/platform/limits.ts';
import { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';
import { eventOfApiManagement, isApiManagementRow, isCountedRow } from './azureApiManagement.ts';
import { eventOfBedrock, isBedrockRecord } from './bedrock.ts';
import { eventOfCloudEvent, isInferenceCloudEvent } from './cloudEvent.ts';
import { eventOfLitellm, isLitellmPayload } from './litellm.ts';
import { isModelCall } from './litellmCallType.ts';
import type { Warnings } from './observedCall.ts';
import { memberAt, textAt } from './values.ts';
import { eventOfVertex, isVertexRow } from './vertex.ts';

/** What a JSON value of a known log format contains. */
export interface CallLog {
  /** One event for each call, not yet validated. */
  readonly events: readonly Record<string, unknown>[];
  /** Values of a known format that are no calls, or that cannot be read. */
  readonly skipped: number;
}

/** Most nesting of logs in logs: a list of subscription messages with records. */
const DEPTH_MAXIMUM = 3;

/** What may be read of one body of logs. */
export interface LogBudget {
  /** Values and names of its JSON, also of JSON in its texts. */
  readonly items: ItemBudget;
  /** Entries of its lists and lines, empty ones too. */
  readonly records: ItemBudget;
}

export const logBudget = (itemsMaximum: number): LogBudget => ({
  items: new ItemBudget(itemsMaximum),
  records: new ItemBudget(RECORDS_MAXIMUM, 'records'),
});

/** The events of a row of a table of calls, or why it is none; null for any other value. */
export type RowOutcome = readonly Record<string, unknown>[] | string | null;
/** `around`: when the batch ended whose answer the row is a part of. */
type ReadRow = (value: unknown, around?: string) => RowOutcome;

/** What all values of a body share. */
interface Reading {
  readonly receivedAt: string;
  readonly warnings: Warnings;
  readonly budget: LogBudget;
  readonly readRow: ReadRow;
  readonly around?: string | undefined;
}

/** A batch of the Gemini API has the answers of its lines, which have no time. https://ai.google.dev/api/batch-api */
const BATCH = /(?:^|\/)batches\//;
const BATCH_TIMES = ['endTime', 'end_time', 'updateTime', 'update_time', 'createTime', 'create_time'];
const timeOfBatch = (value: unknown): string | undefined => {
  if (!BATCH.test(textAt(value, 'name') ?? '')) return undefined;
  return BATCH_TIMES.flatMap((name) => textAt(value, 'metadata', name) ?? textAt(value, name) ?? []).at(0);
};

/**
 * Where an export or the answer of an API has its entries: `records` of Azure Event Hubs, `result` of Cloudflare, `data` of Langfuse
 * and Helicone, `logs`, `usageEvents`, `response.inlinedResponses` of a batch of the Gemini API. Not `messages`, `choices` or
 * `content`, which hold prompts and model output.
 */
const ENTRIES =
  /^_?(?:data|results?|tables|records?|rows?|items|entries|values?|logs|events|usage_?events(?:_?display)?|observations|generations|runs|calls|requests|hits|source|response|dest|inlined_?responses)$/i;

/** The rows of a table whose cells are in the order of its columns. */
export const rowsOfTable = (
  columns: readonly string[],
  lines: readonly (readonly unknown[])[],
): readonly Record<string, unknown>[] =>
  lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));

/** Rows of the query API of Azure Log Analytics and others: lists, beside a list of columns. */
const tableIn = (value: unknown): readonly unknown[] | null => {
  const [columns, rows] = [memberAt(value, 'columns'), memberAt(value, 'rows')];
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null;
  return rowsOfTable(
    columns.map((column) => textAt(column, 'name') ?? String(column)),
    rows,
  );
};

/** A page of Spring Data and of Opik. Messages have `content` too. */
const isPage = (value: object): boolean =>
  ['page', 'size', 'total'].every((name) => typeof memberAt(value, name) === 'number') ||
  typeof memberAt(value, 'totalElements') === 'number';

const entriesIn = (value: unknown): readonly unknown[] | null => {
  if (typeof value !== 'object' || value === null) return null;
  const table = tableIn(value);
  if (table !== null) return table;
  const found = Object.entries(value).flatMap(([name, member]) =>
    (ENTRIES.test(name) || (name === 'content' && isPage(value))) &&
    typeof member === 'object' &&
    member !== null
      ? [member]
      : [],
  );
  return found.length === 0 ? null : found.flat();
};

/** Log events of a CloudWatch Logs subscription, and of a control message, which has none. */
const subscriptionEvents = (value: unknown, { items, records }: LogBudget): readonly unknown[] | null => {
  const events = memberAt(value, 'logEvents');
  if (textAt(value, 'messageType') === undefined || !Array.isArray(events)) return null;
  if (memberAt(value, 'messageType') !== 'DATA_MESSAGE') return [];
  records.spend(events.length);
  return events.map((event) => parseContentJson(textAt(event, 'message') ?? '', items)?.value);
};

/** Null if no value has a known format. */
const readAll = (values: readonly unknown[], reading: Reading, depth: number): CallLog | null => {
  reading.budget.records.spend(values.length);
  const logs = values.map((value) => readOne(value, reading, depth + 1));
  if (logs.length > 0 && logs.every((log) => log === null)) return null;
  return {
    events: logs.flatMap((log) => log?.events ?? []),
    skipped: logs.reduce((sum, log) => sum + (log === null ? 1 : log.skipped), 0),
  };
};

const callsOf = (events: readonly Record<string, unknown>[]): CallLog => ({ events, skipped: 0 });
const callOf = (event: Record<string, unknown>): CallLog => callsOf([event]);
const NO_CALL: CallLog = { events: [], skipped: 1 };

const readOne = (value: unknown, reading: Reading, depth: number): CallLog | null => {
  if (depth > DEPTH_MAXIMUM) return null;
  if (Array.isArray(value)) return readAll(value, reading, depth);
  const { receivedAt, warnings, budget } = reading;
  if (isLitellmPayload(value))
    return isModelCall(value, warnings) ? callOf(eventOfLitellm(value, receivedAt, warnings)) : NO_CALL;
  if (isBedrockRecord(value)) return callOf(eventOfBedrock(value, receivedAt, warnings));
  if (isVertexRow(value)) return callOf(eventOfVertex(value, receivedAt, warnings, budget.items));
  if (isApiManagementRow(value))
    return isCountedRow(value) ? callOf(eventOfApiManagement(value, receivedAt, warnings)) : NO_CALL;
  if (isInferenceCloudEvent(value)) return callOf(eventOfCloudEvent(value, receivedAt));
  const row = reading.readRow(value, reading.around);
  if (row !== null && typeof row !== 'string') return callsOf(row);
  const entries = subscriptionEvents(value, budget) ?? entriesIn(value);
  const told = warnings.size;
  const around = timeOfBatch(value) ?? reading.around;
  const log = entries === null ? null : readAll(entries, { ...reading, around }, depth);
  // An entry of it says more.
  if (log === null && row !== null && warnings.size === told) warnings.add(row);
  return log;
};

/**
 * Reads a JSON value in the log format of a gateway or provider, recognised by its shape: LiteLLM, Amazon Bedrock, a
 * CloudWatch Logs subscription with Bedrock records, Vertex AI, Azure API Management, CloudEvents, a row that `readRow` knows, or
 * a list of them, also within the answer of an API. Null for any other value. Only members on an allow-list are read, so prompts and model output are not. Throws PAYLOAD_TOO_LARGE
 * when its lists, or JSON in its texts, exceed the budget.
 */
export const readCallLog = (
  value: unknown,
  receivedAt: string,
  warnings: Warnings,
  budget: LogBudget,
  readRow: ReadRow = () => null,
): CallLog | null => {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isEmpty ? null : readOne(value, { receivedAt, warnings, budget, readRow }, 0);
};
