import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { AwsCredentials } from '../awsCredentials.ts';

/** A received request. The path is still encoded. Header names are in lower case. */
export interface SignedRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An S3 error response. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: 400 | 403;
  readonly code: string;
  constructor(status: 400 | 403, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Signature Version 4 limits a presigned URL to one week. */
const EXPIRY_LIMIT_S = 604_800;
/** How far the signer's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 15 * 60_000;

const PresignedQuery = z.object({
  'X-Amz-Algorithm': z.literal(ALGORITHM),
  'X-Amz-Credential': z.string().regex(/^[^/]+\/\d{8}\/[^/]+\/s3\/aws4_request$/),
  'X-Amz-Date': z.string().regex(/^\d{8}T\d{6}Z$/),
  'X-Amz-Expires': z.coerce.number().int().min(1).max(EXPIRY_LIMIT_S),
  'X-Amz-SignedHeaders': z.string().regex(/(^|;)host(;|$)/),
  'X-Amz-Signature': z.string().regex(/^[0-9a-f]{64}$/),
});
type PresignedQuery = z.infer<typeof PresignedQuery>;

/**
 * Verifies the signature, the signer and the validity period of a presigned URL. Throws an S3Error.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function verifyPresigned(request: SignedRequest, credentials: AwsCredentials, now: number): void {
  const query = queryOf(request.url);
  const parsed = PresignedQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) {
    const fault = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new S3Error(400, 'AuthorizationQueryParametersError', `Missing or wrong: ${fault}`);
  }
  const signing = parsed.data;
  const [accessKeyId, ...scope] = signing['X-Amz-Credential'].split('/');
  const signedAt = epochOf(signing['X-Amz-Date']);
  if (scope[0] !== signing['X-Amz-Date'].slice(0, 8)) {
    throw new S3Error(400, 'AuthorizationQueryParametersError', 'The credential is of another day');
  }
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key does not exist in our records.');
  }
  const expected = signatureOf(request, signing, scope, credentials.secretAccessKey);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signing['X-Amz-Signature']))) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature does not match the request.');
  }
  if (now + CLOCK_SKEW_MS < signedAt) throw new S3Error(403, 'AccessDenied', 'Request is not valid yet');
  if (now >= signedAt + signing['X-Amz-Expires'] * 1000) {
    throw new S3Error(403, 'AccessDenied', 'Request has expired');
  }
}

export const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);

/** `20261121T101500Z` in epoch milliseconds. */
const epochOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

function signatureOf(
  request: SignedRequest,
  signing: PresignedQuery,
  scope: string[],
  secret: string,
): string {
  const text = [
    ALGORITHM,
    signing['X-Amz-Date'],
    scope.join('/'),
    createHash('sha256').update(canonicalRequest(request, signing['X-Amz-SignedHeaders'])).digest('hex'),
  ].join('\n');
  const key = scope.reduce<Buffer>((chained, part) => hmac(chained, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, text).toString('hex');
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const UNREADABLE = new S3Error(400, 'InvalidURI', 'The path cannot be read');

/** The one form of a request that both sides sign. */
function canonicalRequest({ method, url, headers }: SignedRequest, signedHeaders: string): string {
  const names = signedHeaders.split(';');
  return [
    method,
    pathOf(url),
    [...queryOf(url)]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => [encode(name), encode(value)] as const)
      .sort(([a, v], [b, w]) => compare(a, b) || compare(v, w))
      .map((pair) => pair.join('='))
      .join('&'),
    ...names.map((name) => `${name}:${[headers[name] ?? ''].flat().join(',').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    // The body of a presigned request is unknown when it is signed.
    'UNSIGNED-PAYLOAD',
  ].join('\n');
}

function pathOf(url: string): string {
  const path = url.replace(/\?.*$/s, '');
  // Routing takes a bare # for the end of the path, a signature for a part of it.
  if (path.includes('#')) throw UNREADABLE;
  try {
    return path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/');
  } catch {
    throw UNREADABLE;
  }
}

/** Escapes all but the characters RFC 3986 leaves unreserved. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
