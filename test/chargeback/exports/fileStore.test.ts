import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
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

describe('fileStore', () => {
  it.each([0, 1, 20 * 1_024 * 1_024])(
    'stores a file of %d bytes unchanged when it is closed, and not before',
    async (size) => {
      const content = Buffer.alloc(size, 'content ');
      const file = await stores.fileStore('files').open(downloadHeaders(`exports/of-${size}.csv`));
      const sign = stores.urlSigner('files');
      const url = await sign(`exports/of-${size}.csv`, 900);

      for (let at = 0; at < size; at += 700_000) await file.write(content.subarray(at, at + 700_000));
      const before = await fetch(url);
      await file.close();
      const after = await fetch(url);

      expect(before.status).toBe(404);
      expect(sha256(Buffer.from(await after.arrayBuffer()))).toBe(sha256(content));
      expect(after.headers.get('content-disposition')).toBe(`attachment; filename="of-${size}.csv"`);
      expect(after.headers.get('x-amz-meta-focus-schema-id')).toBe('schema');
    },
  );

  it('stores nothing when the file is aborted', async () => {
    const file = await stores.fileStore('files').open(downloadHeaders('exports/given-up.csv'));
    await file.write(Buffer.alloc(9 * 1_024 * 1_024));

    await file.abort();

    const url = await stores.urlSigner('files')('exports/given-up.csv', 900);
    expect((await fetch(url)).status).toBe(404);
  });

  it('rejects when the bucket does not exist', async () => {
    const file = await stores.fileStore('nowhere').open(downloadHeaders('exports/lost.csv'));

    const writing = async () => {
      for (let count = 0; count < 40; count += 1) await file.write(Buffer.alloc(1_024 * 1_024));
      await file.close();
    };

    await expect(writing()).rejects.toThrow('bucket');
  });
});

describe('workStore', () => {
  it('returns a document as a whole and by byte range', async () => {
    const work = stores.workStore('work');
    await work.put('a/b.json', '{"é":1}');

    expect(await work.get('a/b.json')).toBe('{"é":1}');
    expect(Buffer.from(await work.getRange('a/b.json', 2, 3)).toString('utf8')).toBe('é');
    await expect(work.get('a/c.json')).rejects.toThrow();
  });
});
