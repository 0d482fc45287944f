import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { AwsCredentials } from './awsCredentials.ts';
import { AwsError, jsonOf, serveAws } from './awsService.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { Engine } from './engine.ts';
import { storeMail } from './mailDirectory.ts';

/** The supported part of `SendEmail` (SES API v2): raw messages. */
const SendEmail = z.object({
  FromEmailAddress: z.string().min(1),
  Destination: z.object({ ToAddresses: z.array(z.string()).min(1).max(50) }),
  Content: z.object({ Raw: z.object({ Data: z.base64().min(1) }) }),
});

/** Starts SES. It writes each message to `mail/<time>-<id>.eml` and sends nothing. */
export const startSes = (data: DataDirectory, credentials?: AwsCredentials): Promise<Engine> =>
  serveAws(
    {
      contentType: 'application/json',
      errorNames: {
        unreadable: 'BadRequestException',
        invalid: 'BadRequestException',
        internal: 'InternalServiceErrorException',
      },
    },
    async (request) => ({ MessageId: storeMail(data, await rawMessageOf(request)) }),
    credentials,
  );

async function rawMessageOf(request: IncomingMessage): Promise<Buffer> {
  if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
    throw new AwsError('NotFoundException', 'The local SES engine supports SendEmail only');
  }
  const { Content } = SendEmail.parse(await jsonOf(request));
  return Buffer.from(Content.Raw.Data, 'base64');
}
