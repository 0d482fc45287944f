import { SESv2Client } from '@aws-sdk/client-sesv2';
import { publishCalls, requestHandler } from './awsCalls.ts';

// One try: a message that was accepted although no answer came must not be sent again at once.
export const ses = new SESv2Client({ requestHandler, maxAttempts: 1 });
publishCalls(ses.middlewareStack, 'ses');

export { SendEmailCommand } from '@aws-sdk/client-sesv2';
