import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { handler as bare } from './bareHandler.ts';

const sqs = new SQSClient({ md5: false });

/** The bare handler, made durable by one call of the SDK: what any ingestion on a queue costs at the least. */
export const handler = async (event: APIGatewayProxyEventV2) => {
  const reply = await bare(event);
  await sqs.send(
    new SendMessageCommand({ QueueUrl: process.env['QUEUE_ACCEPTED'], MessageBody: event.body }),
  );
  return reply;
};
