import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { KMSClient } from '@aws-sdk/client-kms';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { portOf } from '../../../local/engines/freePort.ts';
import { createKeys } from '../../../local/provision/externalServices.ts';

const Request = z.object({ KeyId: z.string(), AliasName: z.string(), TargetKeyId: z.string() }).partial();

/** Response to one of the three KMS operations that `createKeys` uses. */
function respond(
  operation: string,
  request: z.infer<typeof Request>,
  aliases: Map<string, string>,
): [number, object] {
  const metadata = (id: string) => ({ KeyMetadata: { KeyId: id, Arn: `arn:${id}` } });
  if (operation === 'CreateKey') return [200, metadata(`key-${aliases.size + 1}`)];
  if (operation === 'CreateAlias') {
    aliases.set(request.AliasName ?? '', request.TargetKeyId ?? '');
    return [200, {}];
  }
  const id = aliases.get(request.KeyId ?? '');
  return id ? [200, metadata(id)] : [400, { __type: 'NotFoundException' }];
}

let server: Server;
let client: KMSClient;

beforeEach(async () => {
  const aliases = new Map<string, string>();
  server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    const [status, body] = respond(operation, Request.parse(await json(request)), aliases);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const credentials = LOCAL_CREDENTIALS;
  client = new KMSClient({
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    region: 'us-east-1',
    credentials,
  });
});

afterEach(() => {
  client.destroy();
  server.close();
});

test('creates keys at an external endpoint once, and finds them again', async () => {
  const declarations = (['Signing', 'Mac'] as const).map((logicalId) => ({
    logicalId,
    spec: logicalId === 'Mac' ? ('HMAC_256' as const) : ('ECC_NIST_P256' as const),
    id: '',
    arn: '',
    aliases: [],
  }));
  const created = await createKeys(client, declarations);
  const found = await createKeys(client, declarations);
  expect([...created.values()]).toEqual([
    { id: 'key-1', arn: 'arn:key-1' },
    { id: 'key-2', arn: 'arn:key-2' },
  ]);
  expect(found).toEqual(created);
});
