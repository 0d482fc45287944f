import {
  type AttributeValue,
  DynamoDBClient,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Credentials } from '../../tools/start/demo.ts';
import { localClient } from './localAws.ts';

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const EPOCH_MS = /(?<=:)\d{13}(?=[,}])/g;

/** Direct access to the engines of an instance, without its API. */
export const enginesOf = ({
  endpoints,
  aws_credentials,
  tables,
  outputs,
  ingestion_queue_url,
}: Credentials) => {
  const dynamodb = new DynamoDBClient(localClient(endpoints['dynamodb'], aws_credentials));
  const sqs = new SQSClient(localClient(endpoints['sqs'], aws_credentials));
  const rows = async (table: string) => {
    const found: Record<string, AttributeValue>[] = [];
    for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName: tables[table] ?? '' }))
      found.push(...Items);
    return found;
  };
  return {
    sqs,
    /** All rows of a table, from all pages. */
    rows,
    /**
     * Moves all times of a credential or grant into the past, as if it had been stored that much earlier. Tests of expiry
     * then need no short lifetimes, which end too soon on a busy machine.
     */
    age: async (id: string, milliseconds: number, table: 'access' | 'grants' = 'access'): Promise<void> => {
      const TableName = tables[table] ?? '';
      // A credential has several copies.
      const stored = (await rows(table)).filter(({ pk, document }) =>
        table === 'grants' ? pk?.S === `grant#${id}` : document?.S?.includes(`_id":"${id}"`),
      );
      if (stored.length === 0) throw new Error(`${id} is not stored`);
      for (const { pk = { S: '' }, sk, document } of stored) {
        const older = (document?.S ?? '')
          .replaceAll(TIMESTAMP, (at) => new Date(Date.parse(at) - milliseconds).toISOString())
          .replaceAll(EPOCH_MS, (at) => String(Number(at) - milliseconds));
        await dynamodb.send(
          new UpdateItemCommand({
            TableName,
            Key: { pk, ...(sk !== undefined && { sk }) },
            UpdateExpression: 'SET document = :older',
            ExpressionAttributeValues: { ':older': { S: older } },
          }),
        );
      }
    },
    /** Number of messages in each queue, visible or in flight, by output name. */
    depths: async (): Promise<Record<string, number>> => {
      const queues = Object.entries(outputs).filter(([name]) => name.startsWith('Queue'));
      const depth = async ([name, QueueUrl]: [string, string]) => {
        const { Attributes = {} } = await sqs.send(
          new GetQueueAttributesCommand({
            QueueUrl,
            AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
          }),
        );
        return [name, Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0)] as const;
      };
      return Object.fromEntries(await Promise.all(queues.map(depth)));
    },
    /** Puts a message on the ingestion queue, as a producer with AWS credentials does. */
    produce: (body: string) =>
      sqs.send(new SendMessageCommand({ QueueUrl: ingestion_queue_url, MessageBody: body })),
    /** Deletes all messages of a queue, delayed ones too. */
    purge: (queue: string) => sqs.send(new PurgeQueueCommand({ QueueUrl: outputs[queue] })),
    close: () => {
      dynamodb.destroy();
      sqs.destroy();
    },
  };
};
