import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type Engines, embeddedWhereabouts } from '../engines/engines.ts';
import type { Whereabouts } from '../template/identities.ts';
import type { Stack } from '../template/stack.ts';
import { createBuckets, createKeys } from './outside.ts';
import { createQueues } from './queues.ts';
import { createTables } from './tables.ts';

/** Creates what the stack declares and its engines do not hold yet. Returns where everything is. */
export async function provision(
  stack: Stack,
  engines: Engines,
  sqs: SQSClient,
  apiUrl: string,
): Promise<Whereabouts> {
  const embedded = embeddedWhereabouts(apiUrl, engines.endpoints.sqs, engines.identityProvider?.url);
  const dynamodb = new DynamoDBClient(engines.client('dynamodb'));
  const kms = new KMSClient(engines.client('kms'));
  const [queues, keys] = await Promise.all([
    createQueues(sqs, stack.queues),
    engines.isOutside('kms') ? createKeys(kms, stack.keys) : undefined,
    engines.isOutside('s3')
      ? createBuckets(
          engines.client('s3'),
          stack.buckets.map(({ name }) => name),
        )
      : undefined,
    createTables(dynamodb, stack.tables),
  ]);
  dynamodb.destroy();
  kms.destroy();
  return {
    ...embedded,
    queue: (name) => (engines.isOutside('sqs') ? queues.get(name) : undefined) ?? embedded.queue(name),
    key: (logicalId) => keys?.get(logicalId) ?? embedded.key(logicalId),
  };
}
