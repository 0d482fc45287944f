import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { deadLetterReader } from '../../functions/ingestion/deadLetter.store.ts';
import { DeadLetter } from '../../functions/ingestion/deadLetter.ts';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { listAllRecords } from '../support/client.ts';
import { startInstance } from '../support/instance.ts';

const CLIENT = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
/** The embedded engine tells every sender by this id. */
export const SENDER = '000000000000';

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** An instance as producers with AWS credentials, and its operators, meet it: by its queues. */
export const startProducerInstance = async () => {
  const instance = await startInstance();
  const { runtime, dataDir, baseUrl, credentials } = instance;
  const [acme, globex] = credentials.tenants;
  if (acme === undefined || globex === undefined) throw new Error('two demo tenants are expected');
  const deployment = await findDeployment({ stack: undefined, dataDir });
  const sqs = new SQSClient({ ...CLIENT, endpoint: runtime.endpoints.sqs });
  const dynamodb = new DynamoDBClient({ ...CLIENT, endpoint: runtime.endpoints.dynamodb });

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
    /** As a producer does: events on the ingestion queue, nothing else. */
    produce: (...bodies: unknown[]) => sendTo(credentials.ingestion_queue_url, ...bodies),
    recordsOf: async (eventId: unknown, tenant = acme) => {
      const records = await listAllRecords(baseUrl, tenant.api_keys.read);
      return records.filter((record) => record['event_id'] === eventId);
    },
    /** What lies in the dead-letter queue of the accepted queue, in full; it stays there. */
    letters: async (): Promise<DeadLetter[]> => {
      const queue = deadLetterReader(deployment.output('QueueAcceptedDeadLetter'), true);
      const held = await queue.take();
      for (const { handle } of held) await queue.release(handle);
      return held.map(({ body }) => DeadLetter.strict().parse(JSON.parse(body)));
    },
    forgetLetters: async (): Promise<void> => {
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
