import { SQSClient } from '@aws-sdk/client-sqs';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

// TLS already protects the integrity of the body, so an MD5 digest would only cost time.
export const sqs = new SQSClient({ requestHandler, maxAttempts: 3, md5: false });
publishCalls(sqs.middlewareStack, 'sqs');
