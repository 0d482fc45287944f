import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type Engines, embeddedLocations } from '../engines/engines.ts';
import type { ResourceLocations } from '../template/resourceIdentities.ts';
import type { Stack } from '../template/stack.ts';
import { createBuckets, createKeys } from './externalServices.ts';
import { createQueues } from './queues.ts';
import { createTables } from './tables.ts';

/** Creates the declared resources that do not exist yet. Returns their locations. */
export async function provision(
  stack: Stack,
  engines: Engines,
  sqs: SQSClient,
  apiUrl: string,
): Promise<ResourceLocations> {
  const embedded = embeddedLocations(apiUrl, engines.endpoints.sqs, engines.identityProvider?.url);
  const dynamodb = new DynamoDBClient(engines.client('dynamodb'));
  const kms = new KMSClient(engines.client('kms'));
  const [queues, keys] = await Promise.all([
    createQueues(sqs, stack.queues),
    engines.isExternal('kms') ? createKeys(kms, stack.keys) : undefined,
    engines.isExternal('s3')
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
    queue: (name) => (engines.isExternal('sqs') ? queues.get(name) : undefined) ?? embedded.queue(name),
    key: (logicalId) => keys?.get(logicalId) ?? embedded.key(logicalId),
  };
}
