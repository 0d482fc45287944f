import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import type { Engine } from '../../../local/engines/engine.ts';
import { startSes } from '../../../local/engines/ses.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

let data: DataDirectory;
let engine: Engine;
let client: SESv2Client;

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  engine = await startSes(data);
  client = new SESv2Client({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: LOCAL_CREDENTIALS,
  });
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true, force: true });
});

const mail = {
  FromEmailAddress: 'a@example.org',
  Destination: { ToAddresses: ['b@example.org'] },
};

it('stores each sent message in a file, byte for byte', async () => {
  const raw = Buffer.from('Subject: Zoë\r\n\r\nHello\r\n');

  const { MessageId } = await client.send(new SendEmailCommand({ ...mail, Content: { Raw: { Data: raw } } }));

  const [file = '', ...others] = readdirSync(data.join('mail'));
  expect(others).toEqual([]);
  expect(file).toMatch(new RegExp(`^\\d{8}T\\d{6}\\.\\d{3}Z-${MessageId}\\.eml$`));
  expect(readFileSync(join(data.path, 'mail', file))).toEqual(raw);
});

it.each([
  ['a message without raw content', { ...mail, Content: { Simple: { Subject: { Data: 'x' }, Body: {} } } }],
  [
    'a message without recipients',
    { ...mail, Destination: {}, Content: { Raw: { Data: Buffer.from('x') } } },
  ],
])('returns BadRequestException for %s', async (_, input) => {
  await expect(client.send(new SendEmailCommand(input))).rejects.toMatchObject({
    name: 'BadRequestException',
    $metadata: { httpStatusCode: 400 },
  });
});
