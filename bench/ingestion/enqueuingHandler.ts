import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { handler as validate } from './validatingHandler.ts';

const sqs = new SQSClient({ md5: false });

/** Second baseline: validates and sends the body to a queue with one SDK call. This is the minimum for durable ingestion. */
export const handler = async (event: APIGatewayProxyEventV2) => {
  const reply = await validate(event);
  await sqs.send(
    new SendMessageCommand({ QueueUrl: process.env['QUEUE_ACCEPTED'], MessageBody: event.body }),
  );
  return reply;
};
