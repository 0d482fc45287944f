import type { buildApp } from 'fauxqs';
import { admission } from '../admission.ts';
import type { AwsCredentials } from '../awsCredentials.ts';
import { queryOf, S3Error, type SignedRequest, verifyPresigned } from './s3Signature.ts';

type App = ReturnType<typeof buildApp>;

/** Query parameters of a presigned URL that override a response header. */
const OVERRIDES = [
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
];
/** Larger objects need a multipart upload. S3 accepts 5 GiB at once, but this engine holds the body in memory. */
const BODY_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * Adds access control, which fauxqs lacks: only requests with these credentials are admitted, presigned URLs are verified and
 * expire, and their `response-…` parameters take effect.
 */
export function authorizeRequests(app: App, credentials: AwsCredentials, now: () => number): void {
  const admit = admission(credentials);
  app.addHook('onRequest', async (request, reply) => {
    const { method, originalUrl: url, headers } = request;
    try {
      const refusal = admit({ url, headers });
      if (refusal !== null) throw new S3Error(403, refusal.code, refusal.message);
      // SQS and SNS requests are POSTs to the root.
      if (method === 'POST' && request.routeOptions.url === '/') return;
      await authorizeRequest({ method, url, headers }, credentials, now());
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      await reply.code(error.status).type('application/xml').send(errorDocument(error));
    }
  });
  app.addHook('onSend', ({ method, originalUrl }, reply, _payload, done) => {
    if (['GET', 'HEAD'].includes(method) && [200, 206].includes(reply.statusCode)) {
      for (const [name, value] of overridesIn(originalUrl))
        reply.header(name.slice('response-'.length), value);
    }
    done();
  });
  app.addContentTypeParser(
    // SQS and SNS content types keep their own parsers.
    /^(?!application\/x-(amz-json|www-form-urlencoded))/,
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => done(null, body),
  );
}

/** Throws an S3Error. A signature in the Authorization header is not verified: the front door knows its access key. */
async function authorizeRequest(
  request: SignedRequest,
  credentials: AwsCredentials,
  now: number,
): Promise<void> {
  const query = queryOf(request.url);
  if (query.has('X-Amz-Algorithm') || query.has('X-Amz-Credential')) {
    await verifyPresigned(request, credentials, now);
  }
  if (overridesIn(request.url).some(([, value]) => !HEADER_VALUE.test(value))) {
    throw new S3Error(400, 'InvalidArgument', 'A response header cannot contain this value');
  }
}

const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

const overridesIn = (url: string): [name: string, value: string][] =>
  [...queryOf(url)].filter(([name]) => OVERRIDES.includes(name));

const errorDocument = ({ code, message }: S3Error): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
