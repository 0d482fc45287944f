import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, it } from 'vitest';
import { deliveryRole } from '../../../functions/chargeback/exports/delivery/deliveryRole.ts';
import { exportRole } from '../../../functions/chargeback/reconciliation/sources/aws/exportRole.ts';
import { bucketRequests } from '../../../functions/platform/customerBuckets/bucketRequests.ts';
import { DESTINATION } from '../../chargeback/exports/delivery/customerBucket.ts';
import { DATA_EXPORT } from '../../chargeback/reconciliation/sources/aws/fakeAws.ts';

const NOW = Date.parse('2026-11-02T06:00:00Z');
const session = {
  kind: 'session',
  accessKeyId: 'ASIA',
  secretAccessKey: 'secret',
  sessionToken: 'token',
} as const;

it.each([
  ['ai/part 1+(2).gz', {}],
  ['ai/part.gz', { partNumber: '2', uploadId: "a/b+c=d e'f" }],
  ['ai/part.gz', { uploads: '' }],
])('signs what it sends about %s with %o, to the host of the bucket', async (key, query) => {
  const sent: { url: URL; headers: Record<string, string> }[] = [];
  const request = bucketRequests(
    {
      send: async (url, { headers }) => {
        sent.push({ url: new URL(url), headers: { ...headers } });
        return { kind: 'failed', failure: 'reset', status: null, latency: 0 };
      },
      now: () => NOW,
    },
    { bucket: 'example-finance', region: 'eu-west-1' },
    session,
  );
  await request({ method: 'PUT', key, query, body: Buffer.from('x') });

  const [{ url, headers } = { url: new URL('https://none'), headers: {} }] = sent;
  const { authorization, ...others } = headers as Record<string, string>;
  const signer = new SignatureV4({
    service: 's3',
    region: 'eu-west-1',
    credentials: session,
    sha256: Sha256,
    uriEscapePath: false,
  });
  // As S3 does: from the received path, the decoded query and the received headers.
  const received = await signer.sign(
    {
      method: 'PUT',
      protocol: 'https:',
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: others,
      body: Buffer.from('x'),
    },
    { signingDate: new Date(NOW) },
  );
  expect(url.host).toBe('example-finance.s3.eu-west-1.amazonaws.com');
  expect(decodeURIComponent(url.pathname)).toBe(`/${key}`);
  expect(received.headers['authorization']).toBe(authorization);
});

it('limits a session to reading one export, or to putting objects below one location', () => {
  expect(exportRole('bls', DATA_EXPORT).statements).toEqual([
    { Action: 's3:GetObject', Resource: 'arn:aws:s3:::example-bills/attribution/bedrock/*' },
    { Action: 's3:ListBucket', Resource: 'arn:aws:s3:::example-bills' },
    { Action: 'kms:Decrypt', Resource: '*' },
  ]);
  expect(deliveryRole({ id: 'dst', ...DESTINATION }).statements).toEqual([
    { Action: ['s3:PutObject', 's3:AbortMultipartUpload'], Resource: 'arn:aws:s3:::example-finance/ai/*' },
    { Action: ['kms:GenerateDataKey', 'kms:Decrypt'], Resource: '*' },
  ]);
});

it('escapes the wildcards of IAM in a folder, so that a session does not reach others', () => {
  const location = 's3://example-finance/*/ai';
  const statements = [
    ...exportRole('bls', { ...DATA_EXPORT, location }).statements,
    ...deliveryRole({ id: 'dst', ...DESTINATION, location }).statements,
  ];
  const patterns = statements.map(({ Resource }) => Resource).filter((arn) => arn.includes('/'));
  expect(patterns).toEqual(Array.from({ length: 2 }, () => `arn:aws:s3:::example-finance/\${*}/ai/*`));
});
