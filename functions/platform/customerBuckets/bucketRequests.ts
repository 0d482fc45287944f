import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Egress } from '../egress/egress.ts';
import type { EgressOutcome } from '../egress/outcome.ts';
import type { RoleSession } from './assumeRole.aws.ts';

/** The bucket of a customer. */
export interface CustomerBucket {
  readonly bucket: string;
  readonly region: string;
}

/** A request about an object, without what its signature needs. */
interface ObjectRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export type SendObjectRequest = (request: ObjectRequest) => Promise<EgressOutcome>;

/** Encodes as the signature requires: all but letters, digits and `-._~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const encodeKey = (key: string): string => key.split('/').map(encode).join('/');

const queryText = (query: Readonly<Record<string, string>>): string => {
  const parts = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

/**
 * Sends requests about the objects of a bucket with the credentials of a role of its owner. The host is one of S3 in a checked
 * region, so a tenant cannot choose where the service connects; `baseUrl` replaces it in local runs. `now` is the clock, in
 * epoch milliseconds.
 */
export const bucketRequests = (
  deps: { readonly send: Egress['send']; readonly now: () => number; readonly baseUrl?: string | undefined },
  { bucket, region }: CustomerBucket,
  session: RoleSession,
): SendObjectRequest => {
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: session,
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: true,
  });
  const root = new URL(
    deps.baseUrl === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${deps.baseUrl}/${bucket}`,
  );
  return async ({ method, key, query = {}, headers: given = {}, body }) => {
    const path = `${root.pathname.replace(/\/$/, '')}/${encodeKey(key)}`;
    const { headers } = await signer.sign(
      {
        method,
        protocol: root.protocol,
        hostname: root.hostname,
        path,
        query: { ...query },
        headers: { host: root.host, ...given },
        body,
      },
      { signingDate: new Date(deps.now()) },
    );
    const url = `${root.origin}${path}${queryText(query)}`;
    return deps.send(url, { method, headers, ...(body !== undefined && { body }) });
  };
};
