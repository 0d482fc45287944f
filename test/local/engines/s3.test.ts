import { rmSync } from 'node:fs';
import { get } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../local/engines/sqsS3/sqsS3.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const CREDENTIALS = { accessKeyId: 'ours', secretAccessKey: 'secret' };
const Bucket = 'files';
const Key = 'a folder/ü (1)+2.txt';

let data: DataDirectory;
let engine: SqsS3Engine;
let s3: S3Client;

async function start(): Promise<void> {
  const expirations = [{ prefix: 'brief/', days: 1 }];
  engine = await startSqsS3(data, [{ name: Bucket, expirations }], () => {}, CREDENTIALS);
  s3 = clientOf(CREDENTIALS);
}

const clientOf = (credentials: typeof CREDENTIALS): S3Client =>
  new S3Client({ endpoint: engine.url, region: 'us-east-1', credentials, maxAttempts: 1 });

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  await start();
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text', ContentType: 'text/plain' }));
});

afterAll(async () => {
  s3.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

const sign = (input: Partial<GetObjectCommandInput> = {}, options: object = {}, client = s3) =>
  getSignedUrl(client, new GetObjectCommand({ Bucket, Key, ...input }), { expiresIn: 60, ...options });

/** The status, with the error code or the body. */
async function request(url: string, method = 'GET'): Promise<[number, string]> {
  const response = await fetch(url, { method });
  const body = await response.text();
  return [response.status, /<Code>(.*)<\/Code>/.exec(body)?.[1] ?? body];
}

/** Makes an object three days old. The API cannot set a modification time, so this writes to the database file. */
function makeOld(key: string): void {
  const database = new DatabaseSync(data.join('buckets', 'fauxqs.db'));
  const lastModified = ago(3 * 86_400).toISOString();
  database.prepare('UPDATE s3_objects SET last_modified = ? WHERE key = ?').run(lastModified, key);
  database.close();
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('a presigned URL', () => {
  test('returns its object', async () => {
    expect(await request(await sign())).toEqual([200, 'text']);
  });

  test('accepts its parameters in any order', async () => {
    const [path, query = ''] = (await sign()).split('?');
    expect(await request(`${path}?${query.split('&').reverse().join('&')}`)).toEqual([200, 'text']);
  });

  test('sets the response headers that the signer requested', async () => {
    const url = await sign({
      ResponseContentDisposition: 'attachment; filename="report.csv"',
      ResponseContentType: 'text/csv',
    });
    const { headers } = await fetch(url);
    expect([headers.get('content-disposition'), headers.get('content-type')]).toEqual([
      'attachment; filename="report.csv"',
      'text/csv',
    ]);
  });

  test.each([
    ['has expired', { signingDate: ago(61) }, 403],
    ['is not valid yet', { signingDate: ago(-3600) }, 403],
    ['is valid for seven days', { expiresIn: 604_800 }, 200],
  ])('that %s returns the expected status', async (_case, options, status) => {
    expect((await request(await sign({}, options)))[0]).toBe(status);
  });

  test('returns AccessDenied after its expiry', async () => {
    expect(await request(await sign({}, { signingDate: ago(61) }))).toEqual([403, 'AccessDenied']);
  });

  test('returns SignatureDoesNotMatch for another method, object, expiry or parameter', async () => {
    const url = await sign();
    expect(await Promise.all([request(url, 'PUT'), request(url, 'DELETE')])).toEqual([
      [403, 'SignatureDoesNotMatch'],
      [403, 'SignatureDoesNotMatch'],
    ]);
    const changed = [
      url.replace('.txt', '.csv'),
      url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      `${url}&response-content-type=text%2Fhtml`,
      `${url}?&partNumber=1`,
    ];
    for (const other of changed) expect(await request(other)).toEqual([403, 'SignatureDoesNotMatch']);
  });

  test('returns 400 for a raw fragment character in the path', async () => {
    const url = await sign({ Key: `${Key}#more` });
    const { hostname, port } = new URL(engine.url);
    const status = await new Promise((resolve, reject) => {
      // `http.get` sends the path unchanged. `fetch` would drop the fragment.
      const path = url.slice(engine.url.length).replace('%23', '#');
      get({ hostname, port, path }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });
    expect(status).toBe(400);
  });

  test('returns 403 for another secret or an unknown access key', async () => {
    const wrongSecret = clientOf({ ...CREDENTIALS, secretAccessKey: 'guessed' });
    const unknownKey = clientOf({ accessKeyId: 'theirs', secretAccessKey: 'secret' });
    expect(await request(await sign({}, {}, wrongSecret))).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await request(await sign({}, {}, unknownKey))).toEqual([403, 'InvalidAccessKeyId']);
  });

  test('returns 403 without X-Amz-Credential, because it names no access key', async () => {
    const url = new URL(await sign());
    url.searchParams.delete('X-Amz-Credential');
    expect(await request(url.href)).toEqual([403, 'AccessDenied']);
  });

  test.each(['X-Amz-Date', 'X-Amz-Expires', 'X-Amz-SignedHeaders', 'X-Amz-Signature'])(
    'returns 400 without %s',
    async (name) => {
      const url = new URL(await sign());
      url.searchParams.delete(name);
      expect(await request(url.href)).toEqual([400, 'AuthorizationQueryParametersError']);
    },
  );

  test('works for any object key and any download name', async () => {
    const printable = fc
      .string({ minLength: 1, maxLength: 20 })
      .map((text) => `k${text.replaceAll('/', '')}`);
    await fc.assert(
      fc.asyncProperty(printable, printable, async (key, name) => {
        await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: key }));
        const url = await sign({ Key: key, ResponseContentDisposition: name });
        expect(await request(url)).toEqual([200, key]);
      }),
      { numRuns: 50 },
    );
  });

  test('allows one upload when it was signed for PutObject', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'given' });
    const response = await fetch(await getSignedUrl(s3, command), { method: 'PUT', body: 'by a stranger' });
    expect([response.status, await request(await sign({ Key: 'given' }))]).toEqual([
      200,
      [200, 'by a stranger'],
    ]);
  });
});

describe('a bucket', () => {
  test.each([
    ['GET', '/files/a'],
    ['PUT', '/files/a'],
    ['DELETE', '/files/a'],
    ['POST', '/files?delete'],
    ['GET', '/files?list-type=2'],
    ['GET', '/'],
  ])('returns AccessDenied without a signature for %s %s', async (method, path) => {
    expect(await request(`${engine.url}${path}`, method)).toEqual([403, 'AccessDenied']);
  });

  test('supports multipart upload, list, range read, head and delete', async () => {
    const part = Buffer.alloc(5 * 1024 * 1024, 'a');
    const upload = { Bucket, Key: 'parts/large' };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload));
    const Parts = await Promise.all(
      [part, Buffer.from('end')].map(async (Body, index) => {
        const PartNumber = index + 1;
        const { ETag } = await s3.send(new UploadPartCommand({ ...upload, UploadId, PartNumber, Body }));
        return { ETag, PartNumber };
      }),
    );
    const MultipartUpload = { Parts };
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload }));
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'parts/' }));
    const end = await s3.send(new GetObjectCommand({ ...upload, Range: 'bytes=-3' }));
    const head = await s3.send(new HeadObjectCommand(upload));
    await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: upload.Key }] } }));
    const left = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'parts/' }));
    expect(Contents).toMatchObject([{ Key: 'parts/large', Size: part.length + 3 }]);
    expect([await end.Body?.transformToString(), head.ContentLength, left.KeyCount]).toEqual([
      'end',
      part.length + 3,
      0,
    ]);
  });

  test('accepts a body of 20 MiB in one request', async () => {
    const Body = Buffer.alloc(20 * 1024 * 1024);
    await s3.send(new PutObjectCommand({ Bucket, Key: 'large', Body }));
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key: 'large' }))).ContentLength).toBe(Body.length);
  });

  test('keeps its objects across a restart, except expired objects', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'brief/old', Body: 'old' }));
    await s3.send(new PutObjectCommand({ Bucket, Key: 'brief/new', Body: 'new' }));
    s3.destroy();
    await engine.stop();
    makeOld('brief/old');
    await start();
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'brief/' }));
    expect(Contents.map((object) => object.Key)).toEqual(['brief/new']);
    expect(await request(await sign())).toEqual([200, 'text']);
  });
});
