import { eventOfApiManagement, isApiManagementRow, isCountedRow } from './azureApiManagement.ts';
import { eventOfBedrock, isBedrockRecord } from './bedrock.ts';
import { eventOfCloudEvent, isInferenceCloudEvent } from './cloudEvent.ts';
import { eventOfLitellm, isLitellmPayload, isModelCall } from './litellm.ts';
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

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The list of a message of Azure Event Hubs, to which Log Analytics exports rows. */
const exportedRows = (value: unknown): readonly unknown[] | null => {
  const records = memberAt(value, 'records');
  return Array.isArray(records) ? records : null;
};

/** Log events of a CloudWatch Logs subscription, and of a control message, which has none. */
const subscriptionEvents = (value: unknown): readonly unknown[] | null => {
  const events = memberAt(value, 'logEvents');
  if (textAt(value, 'messageType') === undefined || !Array.isArray(events)) return null;
  if (memberAt(value, 'messageType') !== 'DATA_MESSAGE') return [];
  return events.map((event) => parseText(textAt(event, 'message') ?? ''));
};

const readAll = (
  values: readonly unknown[],
  receivedAt: string,
  warnings: Warnings,
  depth: number,
): CallLog => {
  const logs = values.map((value) => readOne(value, receivedAt, warnings, depth + 1));
  return {
    events: logs.flatMap((log) => log?.events ?? []),
    skipped: logs.reduce((sum, log) => sum + (log === null ? 1 : log.skipped), 0),
  };
};

const callOf = (event: Record<string, unknown>): CallLog => ({ events: [event], skipped: 0 });
const NO_CALL: CallLog = { events: [], skipped: 1 };

const readOne = (value: unknown, receivedAt: string, warnings: Warnings, depth: number): CallLog | null => {
  if (depth > DEPTH_MAXIMUM) return null;
  if (Array.isArray(value)) return readAll(value, receivedAt, warnings, depth);
  if (isLitellmPayload(value))
    return isModelCall(value) ? callOf(eventOfLitellm(value, receivedAt, warnings)) : NO_CALL;
  if (isBedrockRecord(value)) return callOf(eventOfBedrock(value, receivedAt, warnings));
  if (isVertexRow(value)) return callOf(eventOfVertex(value, receivedAt, warnings));
  if (isApiManagementRow(value))
    return isCountedRow(value) ? callOf(eventOfApiManagement(value, receivedAt, warnings)) : NO_CALL;
  if (isInferenceCloudEvent(value)) return callOf(eventOfCloudEvent(value, receivedAt));
  const logged = subscriptionEvents(value) ?? exportedRows(value);
  return logged === null ? null : readAll(logged, receivedAt, warnings, depth);
};

/**
 * Reads a JSON value in the log format of a gateway or provider, recognised by its shape: LiteLLM, Amazon Bedrock, a
 * CloudWatch Logs subscription with Bedrock records, Vertex AI, Azure API Management, CloudEvents, or a list of them. Null for
 * any other value. Only members on an allow-list are read, so prompts and model output are not.
 */
export const readCallLog = (value: unknown, receivedAt: string, warnings: Warnings): CallLog | null => {
  const log = readOne(value, receivedAt, warnings, 0);
  return log === null || (Array.isArray(value) && log.events.length === 0 && log.skipped === value.length)
    ? null
    : log;
};
