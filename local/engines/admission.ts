import { createHash, timingSafeEqual } from 'node:crypto';
import type { AwsCredentials } from './awsCredentials.ts';

/** The parts of a request that show who sends it. Header names are in lower case. */
export interface RequestHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Why an engine refuses a request. `code` is the error code of AWS. */
export interface Refusal {
  readonly code: 'AccessDenied' | 'InvalidAccessKeyId';
  readonly message: string;
}

/** Another name in the Host header is a page of another site whose name leads to this machine (DNS rebinding). */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
/** Signature Version 4 names the access key in the Authorization header, or in the query of a presigned URL. */
const SIGNED_HEADER = /^AWS4-HMAC-SHA256 (?:.*[ ,])?Credential=([^/,\s]+)\//;
const SIGNED_QUERY = /[?&]X-Amz-Credential=([^/&%]+)(?:\/|%2F)/i;

const denied = (message: string): Refusal => ({ code: 'AccessDenied', message });

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The front door of all embedded engines: null admits a request. It must be signed with the access key of this start, which no
 * other program knows. Browsers send Origin with every request of a page but navigations, and no page can add an access key
 * that it does not know: so no page reads or writes an engine. The signature itself is checked for presigned URLs only.
 */
export const admission = ({ accessKeyId }: Pick<AwsCredentials, 'accessKeyId'>) => {
  const expected = digestOf(accessKeyId);
  return ({ url, headers }: RequestHead): Refusal | null => {
    const textOf = (name: string): string => [headers[name] ?? ''].flat().join(',');
    if (headers['origin'] !== undefined) return denied('Pages of a browser have no access to the engines.');
    if (!LOOPBACK.test(textOf('host'))) return denied('The Host header must name this machine.');
    const given = (SIGNED_HEADER.exec(textOf('authorization')) ?? SIGNED_QUERY.exec(url))?.[1];
    if (given === undefined) return denied('The request is not signed.');
    return timingSafeEqual(digestOf(given), expected)
      ? null
      : { code: 'InvalidAccessKeyId', message: 'The access key does not exist in our records.' };
  };
};
export type Admission = ReturnType<typeof admission>;
