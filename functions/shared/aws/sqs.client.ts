import { SQSClient } from '@aws-sdk/client-sqs';
import { publishCalls, requestHandler } from './awsCalls.ts';

// TLS already protects the body: a second digest of it would only cost time.
export const sqs = new SQSClient({ requestHandler, maxAttempts: 3, md5: false });
publishCalls(sqs.middlewareStack, 'sqs');
