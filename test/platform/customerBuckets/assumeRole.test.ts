import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { portOf } from '../../../local/engines/freePort.ts';

const ROLE = 'arn:aws:iam::111122223333:role/attribution-bills-reader';
const OBJECTS = 'arn:aws:s3:::example-bills/attribution/bedrock/*';
const SOURCE = 'bls_b2qaibid01M85X88B112WN140BT3ZQDZSF';
const errorOf = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>text of AWS</Message></Error></ErrorResponse>`;

let server: Server;
let answer = { status: 403, body: '' };
let request = new URLSearchParams();

beforeAll(async () => {
  server = createServer(async (received, response) => {
    request = new URLSearchParams(await text(received));
    response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${portOf(server)}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

const assume = async () => {
  const { assumeRole } = await import('../../../functions/platform/customerBuckets/assumeRole.aws.ts');
  const statements = [{ Action: 's3:GetObject', Resource: OBJECTS }];
  return assumeRole({ arn: ROLE, resourceId: SOURCE, statements });
};

it.each([
  [403, 'AccessDenied', 'refused'],
  // What AWS answers to credentials that are not its own, such as those of the runtime for one machine.
  [403, 'InvalidClientTokenId', 'refused'],
  [400, 'Throttling', 'rate_limited'],
  [503, 'ServiceUnavailable', 'unavailable'],
])('reports the status %i of STS with the code %s as %s, without its text', async (status, code, error) => {
  answer = { status, body: errorOf(code) };

  expect(await assume()).toEqual({ kind: 'failed', error });
});

it('names the role, the resource as external id, and a policy with nothing but the statements', async () => {
  answer = { status: 403, body: errorOf('AccessDenied') };
  await assume();

  expect([request.get('RoleArn'), request.get('ExternalId')]).toEqual([ROLE, SOURCE]);
  expect(JSON.parse(request.get('Policy') ?? '')).toEqual({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: OBJECTS }],
  });
});

it('reports unavailable when STS cannot be reached, as in the runtime for one machine without a network', async () => {
  server.close();
  server.closeAllConnections();

  expect(await assume()).toEqual({ kind: 'failed', error: 'unavailable' });
});
