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

/** What all values of a body share. */
interface Reading {
  readonly receivedAt: string;
  readonly warnings: Warnings;
  readonly budget: LogBudget;
}

/** The list of a message of Azure Event Hubs, to which Log Analytics exports rows. */
const exportedRows = (value: unknown): readonly unknown[] | null => {
  const records = memberAt(value, 'records');
  return Array.isArray(records) ? records : null;
};

/** Log events of a CloudWatch Logs subscription, and of a control message, which has none. */
const subscriptionEvents = (value: unknown, { items, records }: LogBudget): readonly unknown[] | null => {
  const events = memberAt(value, 'logEvents');
  if (textAt(value, 'messageType') === undefined || !Array.isArray(events)) return null;
  if (memberAt(value, 'messageType') !== 'DATA_MESSAGE') return [];
  records.spend(events.length);
  return events.map((event) => parseContentJson(textAt(event, 'message') ?? '', items)?.value);
};

const readAll = (values: readonly unknown[], reading: Reading, depth: number): CallLog => {
  reading.budget.records.spend(values.length);
  const logs = values.map((value) => readOne(value, reading, depth + 1));
  return {
    events: logs.flatMap((log) => log?.events ?? []),
    skipped: logs.reduce((sum, log) => sum + (log === null ? 1 : log.skipped), 0),
  };
};

const callOf = (event: Record<string, unknown>): CallLog => ({ events: [event], skipped: 0 });
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
  const logged = subscriptionEvents(value, budget) ?? exportedRows(value);
  return logged === null ? null : readAll(logged, reading, depth);
};

/**
 * Reads a JSON value in the log format of a gateway or provider, recognised by its shape: LiteLLM, Amazon Bedrock, a
 * CloudWatch Logs subscription with Bedrock records, Vertex AI, Azure API Management, CloudEvents, or a list of them. Null
 * for any other value. Only members on an allow-list are read, so prompts and model output are not. Throws PAYLOAD_TOO_LARGE
 * when its lists, or JSON in its texts, exceed the budget.
 */
export const readCallLog = (
  value: unknown,
  receivedAt: string,
  warnings: Warnings,
  budget: LogBudget,
): CallLog | null => {
  const log = readOne(value, { receivedAt, warnings, budget }, 0);
  return log === null || (Array.isArray(value) && log.events.length === 0 && log.skipped === value.length)
    ? null
    : log;
};
