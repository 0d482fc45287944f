import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { publishCalls, requestHandler } from './awsCalls.ts';

export const dynamodb = new DynamoDBClient({ requestHandler, maxAttempts: 3 });
publishCalls(dynamodb.middlewareStack, 'dynamodb');
