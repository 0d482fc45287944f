import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { sqs } from '../shared/aws/sqs.client.ts';

/** A dependency that does not respond within this time is not ready. */
const PROBE_TIMEOUT_MS = 2_000;

/** Sends a cheap request to a dependency. Rejects if it does not respond. */
export type Probe = () => Promise<unknown>;

export const tableProbe =
  (table: string): Probe =>
  () =>
    dynamodb.send(new GetItemCommand({ TableName: table, Key: { pk: { S: 'readiness' } } }), {
      abortSignal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });

export const queueProbe =
  (queueUrl: string): Probe =>
  () =>
    sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }), {
      abortSignal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
