import type { SQSRecord } from 'aws-lambda';

/** A message as Lambda receives it from SQS. */
export const sqsRecord = (
  messageId: string,
  {
    body = '',
    queue = 'queue',
    receives = 1,
    firstReceivedAt = 1,
    group,
  }: { body?: string; queue?: string; receives?: number; firstReceivedAt?: number; group?: string } = {},
): SQSRecord => ({
  messageId,
  body,
  receiptHandle: `handle of ${messageId}`,
  attributes: {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: '1',
    SenderId: 'AIDASENDER',
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    ...(group !== undefined && { MessageGroupId: group }),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
  awsRegion: 'us-east-1',
});
