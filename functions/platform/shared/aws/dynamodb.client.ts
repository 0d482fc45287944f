import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { publishCalls, requestHandler } from './awsCalls.ts';
import { throttleRetryStrategy } from './throttling.ts';

export const dynamodb = new DynamoDBClient({ requestHandler, retryStrategy: throttleRetryStrategy() });
publishCalls(dynamodb.middlewareStack, 'dynamodb');
