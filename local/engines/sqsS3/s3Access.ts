import type { buildApp } from 'fauxqs';
import type { AwsCredentials } from '../awsCredentials.ts';
import { queryOf, S3Error, type SignedRequest, verifyPresigned } from './s3Signature.ts';

type App = ReturnType<typeof buildApp>;

/** What the signer of an address may have S3 say of the object, by the parameter that says it. */
const OVERRIDES = [
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
];
/** Longer bodies come in parts. S3 takes 5 GiB at once, which would have to fit into memory here. */
const BODY_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * Makes buckets private, which fauxqs leaves out: a request is signed or refused, an address that was signed beforehand
 * serves what it was signed for and as long, and its `response-…` parameters are heeded.
 */
export function authorizeBucketRequests(app: App, credentials: AwsCredentials, now: () => number): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Queues and topics are asked by a POST to the root, and take any credentials as they always did.
    if (request.method === 'POST' && request.routeOptions.url === '/') return done();
    const { method, originalUrl: url, headers } = request;
    try {
      authorizeRequest({ method, url, headers }, credentials, now());
      done();
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      void reply.code(error.status).type('application/xml').send(errorDocument(error));
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
    // What queues and topics are asked in keeps its own parsers.
    /^(?!application\/x-(amz-json|www-form-urlencoded))/,
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => done(null, body),
  );
}

/**
 * Throws an S3Refusal. A signature in a header is not checked: whoever calls from this machine may hold any credentials.
 */
function authorizeRequest(request: SignedRequest, credentials: AwsCredentials, now: number): void {
  if (queryOf(request.url).has('X-Amz-Algorithm')) verifyPresigned(request, credentials, now);
  else if (!String(request.headers['authorization']).startsWith('AWS4-HMAC-SHA256 ')) {
    throw new S3Error(403, 'AccessDenied', 'Access Denied');
  }
  if (overridesIn(request.url).some(([, value]) => !HEADER_VALUE.test(value))) {
    throw new S3Error(400, 'InvalidArgument', 'A header cannot hold this value');
  }
}

const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

const overridesIn = (url: string): [name: string, value: string][] =>
  [...queryOf(url)].filter(([name]) => OVERRIDES.includes(name));

const errorDocument = ({ code, message }: S3Error): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
