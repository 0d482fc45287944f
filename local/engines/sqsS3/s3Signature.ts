import { timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
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
export async function verifyPresigned(
  request: SignedRequest,
  credentials: AwsCredentials,
  now: number,
): Promise<void> {
  const query = queryOf(request.url);
  const parsed = PresignedQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) {
    const fault = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new S3Error(400, 'AuthorizationQueryParametersError', `Missing or wrong: ${fault}`);
  }
  const signing = parsed.data;
  const [accessKeyId, signingDay] = signing['X-Amz-Credential'].split('/');
  const signedAt = epochOf(signing['X-Amz-Date']);
  if (signingDay !== signing['X-Amz-Date'].slice(0, 8)) {
    throw new S3Error(400, 'AuthorizationQueryParametersError', 'The credential is of another day');
  }
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key does not exist in our records.');
  }
  const expected = await signatureOf(request, signing, credentials, new Date(signedAt));
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

/** Signs the request again with our secret. Signed are the exact path, every query parameter, and the headers that it names. */
async function signatureOf(
  { method, url, headers }: SignedRequest,
  signing: PresignedQuery,
  credentials: AwsCredentials,
  signingDate: Date,
): Promise<string> {
  const [path = ''] = url.split('?');
  // Routing ends the path at a bare #, the signature includes it.
  if (path.includes('#')) throw new S3Error(400, 'InvalidURI', 'The path cannot be read');
  const parameters = queryOf(url);
  const names = new Set(signing['X-Amz-SignedHeaders'].split(';'));
  const [, , region = ''] = signing['X-Amz-Credential'].split('/');
  const signer = new SignatureV4({
    credentials,
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
  });
  const signed = await signer.presign(
    {
      method,
      protocol: 'http:',
      hostname: '',
      path,
      query: Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)])),
      headers: Object.fromEntries([...names].map((name) => [name, [headers[name] ?? ''].flat().join(',')])),
      // The body of a presigned request is unknown when it is signed. The library signs UNSIGNED-PAYLOAD for a stream.
      body: Readable.from([]),
    },
    { signingDate, expiresIn: signing['X-Amz-Expires'], unhoistableHeaders: names, signableHeaders: names },
  );
  return String(signed.query?.['X-Amz-Signature']);
}
