import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueProperties } from '../template/queues.ts';
import type { DeclaredResource } from '../template/resourcesOfType.ts';

export interface QueueLocation {
  url: string;
  arn: string;
}

type Queue = DeclaredResource<QueueProperties>;

/**
 * Creates missing queues and updates the settings of existing ones. Returns their locations by name. Redrive policies are
 * set later, because they contain ARNs that only the endpoint knows.
 */
export async function createQueues(client: SQSClient, queues: Queue[]): Promise<Map<string, QueueLocation>> {
  return new Map(
    await Promise.all(
      queues.map(async ({ identity, properties }) => {
        const url = await ensureQueue(client, identity.name, toAttributes(properties));
        const { Attributes } = await client.send(
          new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
        );
        return [identity.name, { url, arn: Attributes?.QueueArn ?? '' }] as const;
      }),
    ),
  );
}

async function ensureQueue(
  client: SQSClient,
  name: string,
  attributes: Record<string, string>,
): Promise<string> {
  const existingUrl = await findQueueUrl(client, name);
  if (existingUrl !== undefined) {
    const { FifoQueue: _fixed, ...changeable } = attributes;
    await client.send(new SetQueueAttributesCommand({ QueueUrl: existingUrl, Attributes: changeable }));
    return existingUrl;
  }
  const created = await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  return created.QueueUrl ?? '';
}

async function findQueueUrl(client: SQSClient, name: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl;
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
}

/** Sets the redrive policy of every queue. An empty policy removes one that an earlier template set. */
export async function setRedrive(client: SQSClient, queues: Queue[]): Promise<void> {
  await Promise.all(
    queues.map(({ identity, properties: { RedrivePolicy: policy } }) =>
      client.send(
        new SetQueueAttributesCommand({
          QueueUrl: identity.ref,
          Attributes: { RedrivePolicy: policy ? JSON.stringify(policy) : '' },
        }),
      ),
    ),
  );
}

const SETTINGS = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'DelaySeconds',
  'MaximumMessageSize',
  'ReceiveMessageWaitTimeSeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
] as const;

const toAttributes = (properties: QueueProperties): Record<string, string> =>
  Object.fromEntries(
    SETTINGS.flatMap((name) => (properties[name] === undefined ? [] : [[name, String(properties[name])]])),
  );
