import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { AwsError } from './awsJson.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { Engine } from './engine.ts';
import { portOf } from './freePort.ts';

/** What the service takes of `SendEmail`: whole messages (SES API v2). */
const SendEmail = z.object({
  FromEmailAddress: z.string().min(1),
  Destination: z.object({ ToAddresses: z.array(z.string()).min(1).max(50) }),
  Content: z.object({ Raw: z.object({ Data: z.base64().min(1) }) }),
});

/** Mail that was sent, below the data directory. */
const OUTBOX = 'mail';

/** Starts SES: each message that is sent becomes a file `mail/<time>-<id>.eml`, and goes nowhere. */
export async function startMail(data: DataDirectory): Promise<Engine> {
  const outbox = data.join(OUTBOX);
  const server = createServer(async (request, response) => {
    try {
      answer(response, 200, { MessageId: await accept(request, outbox) });
    } catch (error) {
      const { name, message } = refusalOf(error);
      response.setHeader('x-amzn-errortype', name);
      answer(response, name === 'InternalServiceErrorException' ? 500 : 400, { message });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function accept(request: IncomingMessage, outbox: string): Promise<string> {
  if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
    throw new AwsError('NotFoundException', 'Of this service only SendEmail is available locally');
  }
  const { Content } = SendEmail.parse(JSON.parse((await buffer(request)).toString()));
  const id = randomUUID();
  const file = `${outbox}/${new Date().toISOString().replaceAll(/[-:]/g, '')}-${id}`;
  mkdirSync(outbox, { recursive: true });
  // Under its name a message is there whole: whoever watches the folder reads no half.
  writeFileSync(`${file}.part`, Buffer.from(Content.Raw.Data, 'base64'));
  renameSync(`${file}.part`, `${file}.eml`);
  return id;
}

function refusalOf(error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof z.ZodError) return new AwsError('BadRequestException', z.prettifyError(error));
  if (error instanceof SyntaxError) return new AwsError('BadRequestException', 'The body is not JSON');
  return new AwsError('InternalServiceErrorException', String(error));
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
