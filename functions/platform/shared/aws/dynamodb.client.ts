import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';
import { throttleRetryStrategy } from './calls/throttling.ts';

export const dynamodb = new DynamoDBClient({ requestHandler, retryStrategy: throttleRetryStrategy() });
publishCalls(dynamodb.middlewareStack, 'dynamodb');
