import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Destination } from './files.ts';

// Loaded when the first object is: most calls of a unit need none.
const client = () => import('../../shared/aws/s3.client.ts');

/** Bytes of an upload held at once: two parts of 8 MiB, which is enough for 80 GiB. */
const PART_BYTES = 8 * 1_024 * 1_024;
const PARTS_AT_ONCE = 2;

/** What the steps of an export hand to each other. */
export interface WorkStore {
  readonly put: (key: string, text: string) => Promise<void>;
  readonly get: (key: string) => Promise<string>;
  /** Part of an object, by its bytes; both ends are included. */
  readonly getRange: (key: string, from: number, to: number) => Promise<Uint8Array>;
}

export const workStore = (bucket: string): WorkStore => {
  const read = async (key: string, range?: string): Promise<Uint8Array> => {
    const { s3, GetObjectCommand } = await client();
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
    if (Body === undefined) throw new Error('an object of an export is empty');
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

/** How a file is delivered. */
export interface DownloadHeaders {
  readonly key: string;
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Where the files of exports lie. */
export interface FileStore {
  readonly put: (delivery: DownloadHeaders, text: string) => Promise<void>;
  /** Streams a file: it is there once it is closed, and only then. Whoever gives it up must say so. */
  readonly open: (
    delivery: DownloadHeaders,
  ) => Promise<Destination & { readonly abort: () => Promise<void> }>;
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
        queueSize: PARTS_AT_ONCE,
      });
      const done = upload.done();
      // Whoever writes hears of a failure with the next write, or when closing.
      done.catch((error: Error) => body.destroy(error));
      body.on('error', () => undefined);
      return {
        write: async (bytes) => {
          try {
            if (body.errored !== null) throw body.errored;
            if (!body.write(bytes)) await once(body, 'drain');
          } catch (error) {
            // The upload ended, and knows why.
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

/** An address that anybody who has it may read a file by, for a while. */
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
