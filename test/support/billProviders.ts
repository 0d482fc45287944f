import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { portOf } from '../../local/engines/freePort.ts';
import { type FakeAws, fakeAws } from '../chargeback/reconciliation/sources/aws/fakeAws.ts';
import { fakeProvider } from '../chargeback/reconciliation/sources/fakeProvider.ts';
import { LOOPBACK, trustedAuthority } from '../platform/egress/httpsReceiver.ts';

const SESSION_MS = 15 * 60 * 1_000;

/** The answers of STS to AssumeRole. https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
const stsServer = (aws: FakeAws) =>
  createHttpServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const session = aws.assume(form.get('RoleArn') ?? '', form.get('ExternalId') ?? '');
    response.setHeader('content-type', 'text/xml');
    if (session === null) {
      response
        .writeHead(403)
        .end('<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code></Error></ErrorResponse>');
      return;
    }
    response.end(
      `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>${session.accessKeyId}</AccessKeyId><SecretAccessKey>${session.secretAccessKey}</SecretAccessKey><SessionToken>${session.sessionToken}</SessionToken><Expiration>${new Date(Date.now() + SESSION_MS).toISOString()}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
    );
  });

/** The billing APIs of all providers on local servers, and the environment with which an instance uses them. */
export const startBillProviders = async (keys: { readonly openai: string; readonly anthropic: string }) => {
  const openai = fakeProvider('openai', keys.openai);
  const anthropic = fakeProvider('anthropic', keys.anthropic);
  const aws = fakeAws();
  const server = createServer(trustedAuthority.issue([LOOPBACK]), (request, response) => {
    const url = new URL(request.url ?? '', 'https://provider.example');
    if (url.pathname.startsWith('/s3/')) {
      const { status, headers, body } = aws.answer(url.pathname.slice('/s3/'.length), request.headers);
      response.writeHead(status, headers).end(body);
      return;
    }
    const provider = url.pathname === '/v1/organization/costs' ? openai : anthropic;
    const { status, headers, body } = provider.answer(url, request.headers);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const sts = stsServer(aws);
  for (const one of [server, sts]) {
    one.listen(0, LOOPBACK);
    await once(one, 'listening');
  }
  const host = `${LOOPBACK}:${portOf(server)}`;
  return {
    openai,
    anthropic,
    aws,
    environment: {
      BILLS_OPENAI_URL: `https://${host}`,
      BILLS_ANTHROPIC_URL: `https://${host}`,
      BILLS_S3_URL: `https://${host}/s3`,
      AWS_ENDPOINT_URL_STS: `http://${LOOPBACK}:${portOf(sts)}`,
      WEBHOOK_ALLOW_HOSTS: host,
      WEBHOOK_CA: trustedAuthority.cert,
    },
    stop: (): void => {
      server.close();
      sts.close();
    },
  };
};
