// Loaded on first use: most invocations of a unit access no object.
const client = () => import('../../platform/shared/aws/s3.client.ts');

/** Objects that one call deletes, the limit of S3. */
const DELETE_MAXIMUM = 1_000;

export interface ArchiveReader {
  /** An object. Null when it does not exist. */
  readonly get: (key: string) => Promise<Uint8Array | null>;
  /** The bytes from `start` to `end`, `end` excluded. Null when the object does not exist. */
  readonly getRange: (key: string, start: number, end: number) => Promise<Uint8Array | null>;
}

export interface ArchiveObjects extends ArchiveReader {
  readonly put: (key: string, body: Uint8Array | string) => Promise<void>;
  /** The keys with a prefix. */
  readonly list: (prefix: string) => Promise<string[]>;
  readonly delete: (keys: readonly string[]) => Promise<void>;
}

export const archiveReader = (bucket: string): ArchiveReader => {
  const read = async (key: string, range?: string): Promise<Uint8Array | null> => {
    const { s3, GetObjectCommand, NoSuchKey } = await client();
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
      return Body === undefined ? null : await Body.transformToByteArray();
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  };
  return {
    get: (key) => read(key),
    getRange: (key, start, end) => read(key, `bytes=${start}-${end - 1}`),
  };
};

export const archiveObjects = (bucket: string): ArchiveObjects => ({
  ...archiveReader(bucket),
  put: async (key, body) => {
    const { s3, PutObjectCommand } = await client();
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  },
  list: async (prefix) => {
    const { s3, ListObjectsV2Command } = await client();
    const keys: string[] = [];
    let token: string | undefined;
    do {
      const page = await s3.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
      );
      keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return keys;
  },
  delete: async (keys) => {
    const { s3, DeleteObjectsCommand } = await client();
    for (let at = 0; at < keys.length; at += DELETE_MAXIMUM) {
      const Objects = keys.slice(at, at + DELETE_MAXIMUM).map((Key) => ({ Key }));
      const { Errors = [] } = await s3.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0) throw new Error(`S3 did not delete ${Errors.length} objects of the archive.`);
    }
  },
});
