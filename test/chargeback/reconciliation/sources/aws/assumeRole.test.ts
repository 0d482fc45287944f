import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { portOf } from '../../../../../local/engines/freePort.ts';
import { DATA_EXPORT, ROLE } from './fakeAws.ts';

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
  const { assumeExportRole } = await import(
    '../../../../../functions/chargeback/reconciliation/sources/aws/assumeRole.aws.ts'
  );
  return assumeExportRole(SOURCE, DATA_EXPORT);
};

it.each([
  [403, 'AccessDenied', 'refused'],
  // What AWS answers to credentials that are not its own, such as those of the runtime for one machine.
  [403, 'InvalidClientTokenId', 'refused'],
  [400, 'Throttling', 'rate_limited'],
  [503, 'ServiceUnavailable', 'unavailable'],
])('reports the status %i of STS with the code %s as %s, without its text', async (status, code, error) => {
  answer = { status, body: errorOf(code) };

  expect(await assume()).toEqual({ kind: 'failed', error, wait: 0 });
});

it('names the role, the source as external id, and a policy that reads nothing but the export', async () => {
  answer = { status: 403, body: errorOf('AccessDenied') };
  await assume();

  expect([request.get('RoleArn'), request.get('ExternalId')]).toEqual([ROLE, SOURCE]);
  expect(request.get('Policy')).toContain('arn:aws:s3:::example-bills/attribution/bedrock/*');
});

it('reports unavailable when STS cannot be reached, as in the runtime for one machine without a network', async () => {
  server.close();
  server.closeAllConnections();

  expect(await assume()).toEqual({ kind: 'failed', error: 'unavailable', wait: 0 });
});
