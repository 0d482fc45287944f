import { STSClient } from '@aws-sdk/client-sts';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

/** Of the region of the function: it keeps working when another region does not. */
export const sts = new STSClient({ requestHandler, maxAttempts: 3 });
publishCalls(sts.middlewareStack, 'sts');

export { AssumeRoleCommand } from '@aws-sdk/client-sts';
