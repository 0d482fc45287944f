import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Destination } from './files.ts';

// Loaded on first use: most invocations of a unit access no object.
const client = () => import('../../../platform/shared/aws/s3.client.ts');

/** Part size of multipart uploads, 8 MiB. The S3 limit of 10,000 parts allows files of about 80 GiB. */
const PART_BYTES = 8 * 1_024 * 1_024;
/** Parts uploaded in parallel. Bounds memory to two parts. */
const PART_CONCURRENCY = 2;

/** Storage for the documents that export steps pass to each other. */
export interface WorkStore {
  readonly put: (key: string, text: string) => Promise<void>;
  readonly get: (key: string) => Promise<string>;
  /** A byte range of an object, both ends included. */
  readonly getRange: (key: string, from: number, to: number) => Promise<Uint8Array>;
}

export const workStore = (bucket: string): WorkStore => {
  const read = async (key: string, range?: string): Promise<Uint8Array> => {
    const { s3, GetObjectCommand } = await client();
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
    if (Body === undefined) throw new Error(`S3 returned no body for the work object ${key}.`);
    return Body.transformToByteArray();
  };
  return {
    put: async (key, text) => {
      const { s3, PutObjectCommand } = await client();
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
    },
    get: async (key) => Buffer.from(await read(key)).toString('utf8'),
    getRange: (key, from, to) => read(key, `bytes=${from}-${to}`),
  };
};

/** Key and response headers of a file. */
export interface DownloadHeaders {
  readonly key: string;
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Storage for the files of exports. */
export interface FileStore {
  readonly put: (headers: DownloadHeaders, text: string) => Promise<void>;
  /** Opens a streamed upload. The file exists only after `close`. Call `abort` to give up, so that S3 drops its parts. */
  readonly open: (headers: DownloadHeaders) => Promise<Destination & { readonly abort: () => Promise<void> }>;
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
    open: async (headers) => {
      const [{ s3 }, { Upload }] = await Promise.all([client(), import('@aws-sdk/lib-storage')]);
      const body = new PassThrough();
      const upload = new Upload({
        client: s3,
        params: { ...inputOf(headers), Body: body },
        partSize: PART_BYTES,
        queueSize: PART_CONCURRENCY,
      });
      const done = upload.done();
      // An upload failure is reported by the next `write` or by `close`.
      done.catch((error: Error) => body.destroy(error));
      body.on('error', () => undefined);
      return {
        write: async (bytes) => {
          try {
            if (body.errored !== null) throw body.errored;
            if (!body.write(bytes)) await once(body, 'drain');
          } catch (error) {
            // Rejects with the cause of the upload failure.
            await done;
            throw error;
          }
        },
        close: async () => {
          body.end();
          await done;
        },
        abort: () => upload.abort(),
      };
    },
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
