import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { deadLetterReader } from '../../functions/ingest/events/deadLetter.aws.ts';
import { DeadLetter } from '../../functions/ingest/events/deadLetter.ts';
import { listAllRecords } from '../support/client.ts';
import { startInstance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { demoTenants, deploymentOf } from '../support/localService.ts';

/** The embedded engine reports this id for every sender. */
export const SENDER = '000000000000';

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** An instance with helpers to send to its queues, as producers with AWS credentials and operators do. */
export const startProducerInstance = async () => {
  const instance = await startInstance();
  const { runtime, baseUrl, credentials } = instance;
  const { acme, globex } = demoTenants(credentials);
  const deployment = await deploymentOf(instance);
  const sqs = new SQSClient(localClient(runtime.endpoints.sqs));
  const dynamodb = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));

  const sendTo = (QueueUrl: string, ...bodies: unknown[]) =>
    sqs.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: bodies.map((body, index) => ({ Id: String(index), MessageBody: textOf(body) })),
      }),
    );

  return {
    instance,
    acme,
    globex,
    deployment,
    dynamodb,
    idle: runtime.idle,
    sendTo,
    /** Sends events to the ingestion queue, as a producer does. */
    produce: (...bodies: unknown[]) => sendTo(credentials.ingestion_queue_url, ...bodies),
    recordsOf: async (eventId: unknown, tenant = acme) => {
      const records = await listAllRecords(baseUrl, tenant.api_keys.read);
      return records.filter((record) => record['event_id'] === eventId);
    },
    /** All messages of the dead-letter queue of the accepted queue, without removing them. */
    deadLetters: async (): Promise<DeadLetter[]> => {
      const queue = deadLetterReader(deployment.output('QueueAcceptedDeadLetter'), true);
      const messages = await queue.take();
      for (const { handle } of messages) await queue.release(handle);
      return messages.map(({ body }) => DeadLetter.strict().parse(JSON.parse(body)));
    },
    purgeDeadLetters: async (): Promise<void> => {
      for (const name of ['QueueAcceptedDeadLetter', 'QueueIngestionDeadLetter']) {
        await sqs.send(new PurgeQueueCommand({ QueueUrl: deployment.output(name) }));
      }
    },
    stop: async (): Promise<void> => {
      sqs.destroy();
      dynamodb.destroy();
      await instance.stop();
    },
  };
};
