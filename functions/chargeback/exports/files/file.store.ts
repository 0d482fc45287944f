import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

// Loaded on first use: most invocations of a unit access no object.
const client = () => import('../../../platform/shared/aws/s3.client.ts');

/** Part size of multipart uploads, 8 MiB. The S3 limit of 10,000 parts allows files of about 80 GiB. */
const PART_BYTES = 8 * 1_024 * 1_024;
/** Parts uploaded in parallel. Bounds memory to two parts. */
const PART_CONCURRENCY = 2;

/** Uploads a file of this machine. S3 drops the parts of a failed upload. */
const upload = async (
  input: { readonly Bucket: string; readonly Key: string } & Record<string, unknown>,
  path: string,
): Promise<void> => {
  const [{ s3 }, { Upload }] = await Promise.all([client(), import('@aws-sdk/lib-storage')]);
  const params = { ...input, Body: createReadStream(path) };
  await new Upload({ client: s3, params, partSize: PART_BYTES, queueSize: PART_CONCURRENCY }).done();
};

/** Storage for what export steps pass to each other: documents, and files of lines. */
export interface WorkStore {
  readonly put: (key: string, text: string) => Promise<void>;
  readonly get: (key: string) => Promise<string>;
  readonly putFile: (key: string, path: string) => Promise<void>;
  readonly getFile: (key: string, path: string) => Promise<void>;
}

export const workStore = (bucket: string): WorkStore => {
  const bodyOf = async (key: string) => {
    const { s3, GetObjectCommand } = await client();
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (Body === undefined) throw new Error(`S3 returned no body for the work object ${key}.`);
    return Body;
  };
  return {
    put: async (key, text) => {
      const { s3, PutObjectCommand } = await client();
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
    },
    get: async (key) => (await bodyOf(key)).transformToString(),
    putFile: (key, path) => upload({ Bucket: bucket, Key: key }, path),
    getFile: async (key, path) => {
      const body = (await bodyOf(key)).transformToWebStream();
      await pipeline(Readable.fromWeb(body), createWriteStream(path));
    },
  };
};

/** Reads files of exports. */
export interface FileReader {
  /** All bytes of a file, or those of a range: from `from` up to `to`, without it. */
  readonly read: (key: string, range?: { readonly from: number; readonly to: number }) => Promise<Uint8Array>;
}

export const fileReader = (bucket: string): FileReader => ({
  read: async (key, range) => {
    const { s3, GetObjectCommand } = await client();
    const Range = range && `bytes=${range.from}-${range.to - 1}`;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }));
    if (Body === undefined) throw new Error(`S3 returned no body for the file ${key}.`);
    return Body.transformToByteArray();
  },
});

/** Key and response headers of a file. */
export interface DownloadHeaders {
  readonly key: string;
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Storage for the files of exports. */
export interface FileStore {
  readonly put: (headers: DownloadHeaders, text: string) => Promise<void>;
  /** Stores a file of this machine. */
  readonly putFile: (headers: DownloadHeaders, path: string) => Promise<void>;
}

export const fileStore = (bucket: string): FileStore => {
  const inputOf = ({ key, contentType, metadata }: DownloadHeaders) => ({
    Bucket: bucket,
    Key: key,
    ContentType: contentType,
    ContentDisposition: `attachment; filename="${key.slice(key.lastIndexOf('/') + 1)}"`,
    Metadata: { ...metadata },
  });
  return {
    put: async (headers, text) => {
      const { s3, PutObjectCommand } = await client();
      await s3.send(new PutObjectCommand({ ...inputOf(headers), Body: text }));
    },
    putFile: (headers, path) => upload(inputOf(headers), path),
  };
};

/** Returns a presigned URL. Anyone who has it can read the file until it expires after `seconds`. */
export type PresignUrl = (key: string, seconds: number) => Promise<string>;

export const urlSigner =
  (bucket: string): PresignUrl =>
  async (key, seconds) => {
    const [{ s3, GetObjectCommand }, { getSignedUrl }] = await Promise.all([
      client(),
      import('@aws-sdk/s3-request-presigner'),
    ]);
    return getSignedUrl(s3, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds });
  };
