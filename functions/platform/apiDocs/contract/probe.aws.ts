import { type AttributeValue, DescribeTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { dynamodb } from '../../shared/aws/dynamodb.client.ts';
import { sqs } from '../../shared/aws/sqs.client.ts';

/** Sends a cheap request to a dependency, which the signal cancels. Rejects if the dependency does not respond. */
export type Probe = (abortSignal: AbortSignal) => Promise<unknown>;

/** Reads the item with this key, as every call reads items of the table. */
export const itemProbe =
  (table: string, key: Readonly<Record<string, AttributeValue>>): Probe =>
  (abortSignal) =>
    dynamodb.send(new GetItemCommand({ TableName: table, Key: key }), { abortSignal });

/** Describes a table whose items this function must not read. Rejects unless the table is in service. */
export const tableProbe =
  (table: string): Probe =>
  async (abortSignal) => {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: table }), { abortSignal });
    // UPDATING serves reads and writes too.
    if (Table?.TableStatus !== 'ACTIVE' && Table?.TableStatus !== 'UPDATING') {
      throw new Error(`the table is ${Table?.TableStatus}`);
    }
  };

export const queueProbe =
  (queueUrl: string): Probe =>
  (abortSignal) =>
    sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }), {
      abortSignal,
    });

// The clients below are loaded on first use: no other operation of the unit needs them.

export const bucketProbe =
  (bucket: string): Probe =>
  async (abortSignal) => {
    const { s3, GetBucketLocationCommand } = await import('../../shared/aws/s3.client.ts');
    await s3.send(new GetBucketLocationCommand({ Bucket: bucket }), { abortSignal });
  };

export const stateMachineProbe =
  (machineArn: string): Probe =>
  async (abortSignal) => {
    const { sfn, DescribeStateMachineCommand } = await import('../../shared/aws/sfn.client.ts');
    await sfn.send(new DescribeStateMachineCommand({ stateMachineArn: machineArn }), { abortSignal });
  };

/** Requests the current key, which changes when the schedule rotates it. */
export const keyProbe =
  (currentKeyId: () => string): Probe =>
  async (abortSignal) => {
    const { kms, GetPublicKeyCommand } = await import('../../shared/aws/kms.client.ts');
    await kms.send(new GetPublicKeyCommand({ KeyId: currentKeyId() }), { abortSignal });
  };
