import { describe, expect, test } from 'vitest';
import { eventsWithinLimit, sqsEvent, succeededMessages } from '../../../local/events/sqsBatch.ts';

const ARN = 'arn:aws:sqs:us-east-1:000000000000:Work';
const messages = ['a', 'b', 'c'].map((MessageId) => ({
  MessageId,
  ReceiptHandle: `handle ${MessageId}`,
  Body: MessageId,
}));
const ids = (payload: unknown, reports = true) =>
  succeededMessages(messages, JSON.stringify(payload), reports).map(({ MessageId }) => MessageId);

describe('the event of a batch', () => {
  test('has the shape of a Lambda SQS event', () => {
    const message = {
      MessageId: 'id',
      ReceiptHandle: 'handle',
      Body: 'text',
      MD5OfBody: 'digest',
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: '2' },
      MessageAttributes: {
        kind: { DataType: 'String', StringValue: 'x' },
        raw: { DataType: 'Binary', BinaryValue: Uint8Array.of(0, 1) },
      },
    };
    expect(sqsEvent([message], ARN)).toEqual({
      Records: [
        {
          messageId: 'id',
          receiptHandle: 'handle',
          body: 'text',
          md5OfBody: 'digest',
          attributes: { ApproximateReceiveCount: '1', SentTimestamp: '2' },
          messageAttributes: {
            kind: { dataType: 'String', stringValue: 'x', stringListValues: [], binaryListValues: [] },
            raw: { dataType: 'Binary', binaryValue: 'AAE=', stringListValues: [], binaryListValues: [] },
          },
          eventSource: 'aws:sqs',
          eventSourceARN: ARN,
          awsRegion: 'us-east-1',
        },
      ],
    });
  });
});

describe('the messages to delete', () => {
  test.each([[null], [{}], [{ batchItemFailures: [] }], [{ batchItemFailures: null }]])(
    'include all messages for the response %j',
    (payload) => {
      expect(ids(payload)).toEqual(['a', 'b', 'c']);
    },
  );

  test('exclude messages that are reported as failed', () => {
    expect(ids({ batchItemFailures: [{ itemIdentifier: 'b' }] })).toEqual(['a', 'c']);
  });

  test.each([
    [{ batchItemFailures: [{ itemIdentifier: 'unknown' }] }],
    [{ batchItemFailures: [{ itemIdentifier: '' }] }],
    [{ batchItemFailures: [{ wrong: 'b' }] }],
    ['text'],
  ])('are empty for the invalid response %j', (payload) => {
    expect(ids(payload)).toEqual([]);
  });

  test('include all messages when failure reports are disabled', () => {
    expect(ids({ batchItemFailures: [{ itemIdentifier: 'b' }] }, false)).toEqual(['a', 'b', 'c']);
  });
});

test('splits a batch whose event Lambda would refuse', () => {
  const messages = Array.from({ length: 10 }, (_, index) => ({
    MessageId: `${index}`,
    Body: 'a'.repeat(1_000_000),
  }));

  const parts = eventsWithinLimit(messages, 'arn');

  expect(parts.map(({ part }) => part.length)).toEqual([5, 5]);
  expect(parts.flatMap(({ part }) => part)).toEqual(messages);
  expect(parts.every(({ event }) => Buffer.byteLength(event) <= 6 * 1024 * 1024)).toBe(true);
});
