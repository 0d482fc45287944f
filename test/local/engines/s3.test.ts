import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../local/engines/sqsS3/sqsS3.ts';

// Engines start in these tests; a busy machine may take its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

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
  data = lockDataDirectory(mkdtempSync(join(tmpdir(), 's3-')));
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

/** Status, and the code of a refusal or the text served. */
async function ask(url: string, method = 'GET'): Promise<[number, string]> {
  const response = await fetch(url, { method });
  const body = await response.text();
  return [response.status, /<Code>(.*)<\/Code>/.exec(body)?.[1] ?? body];
}

/** Three days old, as nothing but its file can make it. */
function makeOld(key: string): void {
  const database = new DatabaseSync(data.join('buckets', 'fauxqs.db'));
  const lastModified = ago(3 * 86_400).toISOString();
  database.prepare('UPDATE s3_objects SET last_modified = ? WHERE key = ?').run(lastModified, key);
  database.close();
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('an address signed beforehand', () => {
  test('serves its object', async () => {
    expect(await ask(await sign())).toEqual([200, 'text']);
  });

  test('serves it in whatever order its parameters come', async () => {
    const [path, query = ''] = (await sign()).split('?');
    expect(await ask(`${path}?${query.split('&').reverse().join('&')}`)).toEqual([200, 'text']);
  });

  test('has S3 say what its signer wants of the object', async () => {
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
    ['is over', { signingDate: ago(61) }, 403],
    ['has not begun', { signingDate: ago(-3600) }, 403],
    ['is too long', { expiresIn: 604_800 }, 200],
  ])('is judged by its time when it %s', async (_what, options, status) => {
    expect((await ask(await sign({}, options)))[0]).toBe(status);
  });

  test('says that it has expired', async () => {
    expect(await ask(await sign({}, { signingDate: ago(61) }))).toEqual([403, 'AccessDenied']);
  });

  test('serves nothing else: no other method, object, time or answer', async () => {
    const url = await sign();
    expect(await Promise.all([ask(url, 'PUT'), ask(url, 'DELETE')])).toEqual([
      [403, 'SignatureDoesNotMatch'],
      [403, 'SignatureDoesNotMatch'],
    ]);
    const changed = [
      url.replace('.txt', '.csv'),
      url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      `${url}&response-content-type=text%2Fhtml`,
      `${url}?&partNumber=1`,
    ];
    for (const other of changed) expect(await ask(other)).toEqual([403, 'SignatureDoesNotMatch']);
  });

  test('serves nothing that routing and the signature would read differently', async () => {
    const url = await sign({ Key: `${Key}#more` });
    const { hostname, port } = new URL(engine.url);
    const status = await new Promise((resolve, reject) => {
      // A client that sends the path as it is.
      const path = url.slice(engine.url.length).replace('%23', '#');
      get({ hostname, port, path }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });
    expect(status).toBe(400);
  });

  test('is refused when somebody else signed it', async () => {
    const stranger = clientOf({ ...CREDENTIALS, secretAccessKey: 'guessed' });
    const unknown = clientOf({ accessKeyId: 'theirs', secretAccessKey: 'secret' });
    expect(await ask(await sign({}, {}, stranger))).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await ask(await sign({}, {}, unknown))).toEqual([403, 'InvalidAccessKeyId']);
  });

  test.each(['X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Expires', 'X-Amz-SignedHeaders', 'X-Amz-Signature'])(
    'is refused without %s',
    async (name) => {
      const url = new URL(await sign());
      url.searchParams.delete(name);
      expect(await ask(url.href)).toEqual([400, 'AuthorizationQueryParametersError']);
    },
  );

  test('is good for any key and any name to save it under', async () => {
    const printable = fc
      .string({ minLength: 1, maxLength: 20 })
      .map((text) => `k${text.replaceAll('/', '')}`);
    await fc.assert(
      fc.asyncProperty(printable, printable, async (key, name) => {
        await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: key }));
        const url = await sign({ Key: key, ResponseContentDisposition: name });
        expect(await ask(url)).toEqual([200, key]);
      }),
      { numRuns: 50 },
    );
  });

  test('lets its holder put one object', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'given' });
    const response = await fetch(await getSignedUrl(s3, command), { method: 'PUT', body: 'by a stranger' });
    expect([response.status, await ask(await sign({ Key: 'given' }))]).toEqual([200, [200, 'by a stranger']]);
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
  ])('is closed to anybody without a signature (%s %s)', async (method, path) => {
    expect(await ask(`${engine.url}${path}`, method)).toEqual([403, 'AccessDenied']);
  });

  test('does for a client what it did before', async () => {
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

  test('takes a body larger than a part', async () => {
    const Body = Buffer.alloc(20 * 1024 * 1024);
    await s3.send(new PutObjectCommand({ Bucket, Key: 'large', Body }));
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key: 'large' }))).ContentLength).toBe(Body.length);
  });

  test('keeps its objects over a restart, but those whose time is over', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'brief/old', Body: 'old' }));
    await s3.send(new PutObjectCommand({ Bucket, Key: 'brief/new', Body: 'new' }));
    s3.destroy();
    await engine.stop();
    makeOld('brief/old');
    await start();
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'brief/' }));
    expect(Contents.map((object) => object.Key)).toEqual(['brief/new']);
    expect(await ask(await sign())).toEqual([200, 'text']);
  });
});
