import type { SQSRecord } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import { failedMessages } from '../../../functions/platform/queue/failedMessages.aws.ts';
import { sqs } from '../../../functions/platform/shared/aws/sqs.client.ts';
import { sqsRecord } from './sqsRecord.ts';

const record = (id: string, queue: string, receives: number): SQSRecord => sqsRecord(id, { queue, receives });

const { returnSoon } = failedMessages(
  ['https://sqs.example/1/accepted', 'https://sqs.example/1/ingestion'],
  'https://sqs.example/1/dead',
);

afterEach(() => {
  vi.restoreAllMocks();
});

it('sets the visibility of each failed message in its own queue by its number of receives', async () => {
  const inputs: unknown[] = [];
  vi.spyOn(sqs, 'send').mockImplementation(async ({ input }: { readonly input: unknown }) => {
    inputs.push(input);
  });

  await returnSoon([record('a', 'accepted', 1), record('b', 'ingestion', 3), record('c', 'accepted', 2)]);

  expect(inputs).toEqual([
    {
      QueueUrl: 'https://sqs.example/1/accepted',
      Entries: [
        { Id: '0', ReceiptHandle: 'handle of a', VisibilityTimeout: 5 },
        { Id: '1', ReceiptHandle: 'handle of c', VisibilityTimeout: 15 },
      ],
    },
    {
      QueueUrl: 'https://sqs.example/1/ingestion',
      Entries: [{ Id: '0', ReceiptHandle: 'handle of b', VisibilityTimeout: 45 }],
    },
  ]);
});

it('does not fail the batch when the queue cannot be reached, and logs it', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(sqs, 'send').mockRejectedValue(new Error('no connection') as never);

  await returnSoon([record('a', 'accepted', 1)]);

  expect(String(written.mock.calls[0]?.[0])).toContain('failed messages return late');
});
