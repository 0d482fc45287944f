import { SESv2Client } from '@aws-sdk/client-sesv2';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

// One attempt only: SES may have accepted a message whose response was lost, and a retry would send it twice.
export const ses = new SESv2Client({ requestHandler, maxAttempts: 1 });
publishCalls(ses.middlewareStack, 'ses');

export { SendEmailCommand } from '@aws-sdk/client-sesv2';
