import type { AssumeRole } from '../../../../../functions/platform/customerBuckets/assumeRole.aws.ts';
import { externalIdOf } from '../../../../../functions/platform/customerBuckets/externalId.ts';
import { type CurFileOptions, type CurRow, curFile } from './curFile.ts';

interface StoredObject {
  readonly body: Uint8Array;
  readonly at: number;
}
interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export const BUCKET = 'example-bills';
export const LOCATION = `s3://${BUCKET}/attribution/bedrock`;
export const ROLE = 'arn:aws:iam::111122223333:role/attribution-bills-reader';
export const DATA_EXPORT = { location: LOCATION, region: 'us-east-1', role_arn: ROLE };

const refused = (status: number): FakeAnswer => ({
  status,
  headers: {},
  body: Buffer.from('<Error><Message>text of AWS</Message></Error>'),
});

/** STS and S3 as far as imports of exports use them: roles with trust policies, sessions, objects and ranges. */
export const fakeAws = () => {
  const objects = new Map<string, StoredObject>();
  const trusts = new Map<string, { externalId: string; bucket: string }>();
  const sessions = new Map<string, { bucket: string; token: string }>();
  const requests: string[] = [];
  const state: {
    instead: (() => FakeAnswer) | null;
    instantly: ((key: string) => void) | null;
    /** Refuses to read more from the end of an object than it has, as some servers that replace S3 do. */
    refusesLongSuffix: boolean;
  } = { instead: null, instantly: null, refusesLongSuffix: false };

  const assume = (role: string, externalId: string) => {
    const trust = trusts.get(role);
    if (trust === undefined || trust.externalId !== externalId) return null;
    const accessKeyId = `ASIA${String(sessions.size).padStart(16, '0')}`;
    const token = `session-token-${sessions.size}`;
    sessions.set(accessKeyId, { bucket: trust.bucket, token });
    return { accessKeyId, secretAccessKey: 'secret-access-key', sessionToken: token };
  };
  const assumeRole: AssumeRole = async ({ arn, resourceId }) => {
    const session = assume(arn, externalIdOf(resourceId));
    return session === null ? { kind: 'failed', error: 'refused' } : { kind: 'session', ...session };
  };

  return {
    objects,
    requests,
    state,
    assume,
    assumeRole,
    /** The trust policy of a role: which external id may assume it, and which bucket it may read. */
    trust: (externalId: string, { role = ROLE, bucket = BUCKET } = {}) =>
      trusts.set(role, { externalId, bucket }),
    /** Delivers the files of a month and then its manifest, as AWS does. Each element of `files` is a file. */
    deliver: (
      month: string,
      files: readonly (readonly CurRow[])[],
      { at, location = LOCATION, file }: { at: string; location?: string; file?: CurFileOptions },
    ): void => {
      const root = location.slice('s3://'.length);
      const name = root.split('/').at(-1);
      const delivered = Date.parse(at);
      const keys = files.map((rows, index) => {
        const key = `${root}/data/BILLING_PERIOD=${month}/${name}-0000${index + 1}.snappy.parquet`;
        objects.set(key, { body: curFile(rows, file), at: delivered - 1_000 });
        return key;
      });
      const manifest = { executionId: at, dataFiles: keys.map((key) => `s3://${key}`) };
      objects.set(`${root}/metadata/BILLING_PERIOD=${month}/${name}-Manifest.json`, {
        body: Buffer.from(JSON.stringify(manifest)),
        at: delivered,
      });
    },
    /** Answers a read of S3. `path` is `bucket/key`, still encoded. */
    answer: (path: string, headers: Readonly<Record<string, unknown>>): FakeAnswer => {
      const key = decodeURIComponent(path);
      requests.push(key);
      state.instantly?.(key);
      if (state.instead !== null) return state.instead();
      const accessKeyId = /Credential=([^/]+)\//.exec(String(headers['authorization']))?.[1] ?? '';
      const session = sessions.get(accessKeyId);
      const isAllowed =
        session !== undefined &&
        headers['x-amz-security-token'] === session.token &&
        key.startsWith(`${session.bucket}/`);
      if (!isAllowed) return refused(403);
      const object = objects.get(key);
      if (object === undefined) return refused(404);
      const { body, at } = object;
      const etag = `"${at}-${body.length}"`;
      if (headers['if-match'] !== undefined && headers['if-match'] !== etag) return refused(412);
      const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(String(headers['range'] ?? '')) ?? [];
      const size = body.length;
      if (state.refusesLongSuffix && from === '' && Number(to) > size) return refused(416);
      const start = from === '' ? (to === '' ? 0 : Math.max(0, size - Number(to))) : Number(from);
      const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1);
      return {
        status: headers['range'] === undefined ? 200 : 206,
        headers: {
          'last-modified': new Date(at).toUTCString(),
          etag,
          ...(headers['range'] !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
        },
        body: body.subarray(start, end),
      };
    },
  };
};
export type FakeAws = ReturnType<typeof fakeAws>;
