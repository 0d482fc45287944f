import { SQSClient } from '@aws-sdk/client-sqs';
import { publishCalls, requestHandler } from './awsCalls.ts';

export const sqs = new SQSClient({ requestHandler, maxAttempts: 3 });
publishCalls(sqs.middlewareStack, 'sqs');
