import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../local/engines/sqsS3/sqsS3.ts';
import { pointClientsAt } from '../../../tools/operator/deployment.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const data = lockDataDirectory(temporaryDirectory());
let engine: SqsS3Engine;
let stores: typeof import('../../../functions/chargeback/exports/files/file.store.ts');
beforeAll(async () => {
  engine = await startSqsS3(
    data,
    ['files', 'work'].map((name) => ({ name, expirations: [] })),
    () => undefined,
  );
  pointClientsAt({ s3: engine.url }, LOCAL_CREDENTIALS);
  const environment = { BASE_URL: 'https://api.example.com', ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  stores = await import('../../../functions/chargeback/exports/files/file.store.ts');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await engine?.stop();
  data.release();
  rmSync(data.path, { recursive: true, force: true });
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const downloadHeaders = (key: string) => ({
  key,
  contentType: 'text/csv',
  metadata: { 'focus-schema-id': 'schema' },
});

/** A file of this machine with this content. */
const localFile = (content: Uint8Array): string => {
  const path = join(temporaryDirectory(), 'content');
  writeFileSync(path, content);
  return path;
};

describe('fileStore', () => {
  it.each([0, 1, 20 * 1_024 * 1_024])('stores a file of %d bytes unchanged', async (size) => {
    const content = Buffer.alloc(size, 'content ');
    const headers = downloadHeaders(`exports/of-${size}.csv`);

    await stores.fileStore('files').putFile(headers, localFile(content));

    const stored = await fetch(await stores.urlSigner('files')(headers.key, 900));
    expect(sha256(Buffer.from(await stored.arrayBuffer()))).toBe(sha256(content));
    expect(stored.headers.get('content-disposition')).toBe(`attachment; filename="of-${size}.csv"`);
    expect(stored.headers.get('x-amz-meta-focus-schema-id')).toBe('schema');
  });

  it('rejects when the bucket or the file does not exist, and stores nothing', async () => {
    const large = localFile(Buffer.alloc(20 * 1_024 * 1_024));
    const headers = downloadHeaders('exports/lost.csv');

    await expect(stores.fileStore('nowhere').putFile(headers, large)).rejects.toThrow('bucket');
    await expect(stores.fileStore('files').putFile(headers, `${large}.gone`)).rejects.toThrow();
    expect((await fetch(await stores.urlSigner('files')(headers.key, 900))).status).toBe(404);
  });
});

describe('workStore', () => {
  it('returns documents and files', async () => {
    const work = stores.workStore('work');
    const copy = join(temporaryDirectory(), 'copy');
    await work.put('a/b.json', '{"é":1}');
    await work.putFile('a/lines.parquet', localFile(Buffer.from([0, 255, 10])));

    await work.getFile('a/lines.parquet', copy);

    expect(await work.get('a/b.json')).toBe('{"é":1}');
    expect([...readFileSync(copy)]).toEqual([0, 255, 10]);
    await expect(work.get('a/c.json')).rejects.toThrow();
    await expect(work.getFile('a/c.json', copy)).rejects.toThrow();
  });
});
