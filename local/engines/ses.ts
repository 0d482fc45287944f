import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { AwsError, jsonOf, serveAws } from './awsService.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { Engine } from './engine.ts';

/** The supported part of `SendEmail` (SES API v2): raw messages. */
const SendEmail = z.object({
  FromEmailAddress: z.string().min(1),
  Destination: z.object({ ToAddresses: z.array(z.string()).min(1).max(50) }),
  Content: z.object({ Raw: z.object({ Data: z.base64().min(1) }) }),
});

/** Sent mail, relative to the data directory. */
const MAIL_DIRECTORY = 'mail';

/** Starts SES. It writes each message to `mail/<time>-<id>.eml` and sends nothing. */
export const startSes = (data: DataDirectory): Promise<Engine> =>
  serveAws(
    {
      contentType: 'application/json',
      errorNames: {
        unreadable: 'BadRequestException',
        invalid: 'BadRequestException',
        internal: 'InternalServiceErrorException',
      },
    },
    async (request) => ({ MessageId: await storeMessage(request, data.join(MAIL_DIRECTORY)) }),
  );

async function storeMessage(request: IncomingMessage, directory: string): Promise<string> {
  if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
    throw new AwsError('NotFoundException', 'The local SES engine supports SendEmail only');
  }
  const { Content } = SendEmail.parse(await jsonOf(request));
  const id = randomUUID();
  const file = `${directory}/${new Date().toISOString().replaceAll(/[-:]/g, '')}-${id}`;
  mkdirSync(directory, { recursive: true });
  // Written to a temporary name first, so that a reader of the directory never sees a partial message.
  writeFileSync(`${file}.part`, Buffer.from(Content.Raw.Data, 'base64'));
  renameSync(`${file}.part`, `${file}.eml`);
  return id;
}
