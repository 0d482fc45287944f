import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { EVENT_LIMIT_BYTES } from '../lambda/localFunction.ts';
import { REGION } from '../template/names.ts';

/** The Lambda event for a batch of messages. */
export const sqsEvent = (messages: Message[], queueArn: string): object => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attribute(value)]),
    ),
    ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  })),
});

/**
 * The batch in parts whose events are within the limit of Lambda, which would otherwise refuse them. A queue accepts messages
 * of 1 MiB, and a batch holds at least ten.
 */
export function eventsWithinLimit(
  messages: Message[],
  queueArn: string,
): { part: Message[]; event: string }[] {
  const event = JSON.stringify(sqsEvent(messages, queueArn));
  if (messages.length < 2 || Buffer.byteLength(event) <= EVENT_LIMIT_BYTES)
    return [{ part: messages, event }];
  const middle = Math.ceil(messages.length / 2);
  return [messages.slice(0, middle), messages.slice(middle)].flatMap((half) =>
    eventsWithinLimit(half, queueArn),
  );
}

const attribute = ({ StringValue, BinaryValue, DataType }: MessageAttributeValue): object => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});

const BatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullable();

/**
 * The messages to delete after a successful invocation: all of them, except reported failures. An invalid report, or one
 * that names a message outside the batch, fails the whole batch.
 */
export function succeededMessages(messages: Message[], payload: string, reportsFailures: boolean): Message[] {
  if (!reportsFailures) return messages;
  const response = BatchResponse.safeParse(JSON.parse(payload));
  if (!response.success) return [];
  const failed = new Set(response.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const batchIds = new Set(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !batchIds.has(id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
}
