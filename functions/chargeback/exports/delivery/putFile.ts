import { createHash } from 'node:crypto';
import type { SendObjectRequest } from '../../../platform/customerBuckets/bucketRequests.ts';
import { type DeliveryFailure, failDelivery, failureIn } from './bucketAnswer.ts';

/** The size of a part. S3 allows 10,000 of at least 5 MiB. It bounds the memory of a delivery. */
export const PART_BYTES = 8 * 1_024 * 1_024;

interface PutDeps {
  readonly send: SendObjectRequest;
  readonly clock: () => number;
  /** No part begins later, in epoch milliseconds. */
  readonly until: number;
}

export interface PutObject {
  readonly key: string;
  readonly contentType: string;
}

/** A file, and how to read the bytes from `from` up to `to`. */
interface SourceFile {
  readonly bytes: number;
  readonly sha256: string;
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
}

/** Puts an object with one request, which replaces an earlier object as a whole. Null: done. */
export const putBytes = async (
  { send, clock }: Pick<PutDeps, 'send' | 'clock'>,
  { key, contentType }: PutObject,
  body: Uint8Array,
): Promise<DeliveryFailure | null> =>
  failureIn(await send({ method: 'PUT', key, headers: { 'content-type': contentType }, body }), clock());

const textIn = (body: Uint8Array, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]+)</${element}>`).exec(Buffer.from(body).toString())?.[1];

/** The ETags of all parts in their order, as the request that ends an upload names them. */
const partList = (etags: readonly string[]): Uint8Array => {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  return Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
};

const corrupt = (key: string) => new Error(`The file for ${key} differs from the manifest of its export.`);

/** Puts the parts of an upload. Throws an Error if the file is not the one of the manifest. */
const putParts = async (
  { send, clock, until }: PutDeps,
  key: string,
  uploadId: string,
  file: SourceFile,
): Promise<DeliveryFailure | { readonly kind: 'put'; readonly etags: readonly string[] }> => {
  const digest = createHash('sha256');
  const etags: string[] = [];
  for (let from = 0; from < file.bytes; from += PART_BYTES) {
    if (clock() >= until) return failDelivery('unavailable');
    const body = await file.read(from, Math.min(file.bytes, from + PART_BYTES));
    digest.update(body);
    const query = { partNumber: String(etags.length + 1), uploadId };
    const outcome = await send({ method: 'PUT', key, query, body });
    const failure = failureIn(outcome, clock());
    if (failure !== null || outcome.kind === 'failed') return failure ?? failDelivery('unavailable');
    etags.push(String(outcome.headers?.['etag'] ?? ''));
  }
  if (digest.digest('hex') !== file.sha256) throw corrupt(key);
  return { kind: 'put', etags };
};

/** Puts a file in parts. It appears as a whole when all are there. */
const putInParts = async (
  deps: PutDeps,
  { key, contentType }: PutObject,
  file: SourceFile,
): Promise<DeliveryFailure | null> => {
  const { send, clock } = deps;
  const headers = { 'content-type': contentType };
  const begun = await send({ method: 'POST', key, query: { uploads: '' }, headers });
  const refused = failureIn(begun, clock());
  if (refused !== null) return refused;
  const uploadId = begun.kind === 'answered' ? textIn(begun.body, 'UploadId') : undefined;
  if (uploadId === undefined) return failDelivery('refused');
  const query = { uploadId };
  // Without it, the customer pays for parts of an object that never appears.
  const abort = () => send({ method: 'DELETE', key, query });
  let put: Awaited<ReturnType<typeof putParts>>;
  try {
    put = await putParts(deps, key, uploadId, file);
  } catch (error) {
    await abort();
    throw error;
  }
  const failure =
    put.kind === 'failed'
      ? put
      : failureIn(await send({ method: 'POST', key, query, body: partList(put.etags) }), clock());
  if (failure !== null) await abort();
  return failure;
};

/**
 * Puts a file of an export, after a comparison with its digest. Null: done. Throws an Error if the file is not the one of the
 * manifest.
 */
export const putFile = async (
  deps: PutDeps,
  object: PutObject,
  file: SourceFile,
): Promise<DeliveryFailure | null> => {
  if (file.bytes > PART_BYTES) return putInParts(deps, object, file);
  const body = await file.read(0, file.bytes);
  if (createHash('sha256').update(body).digest('hex') !== file.sha256) throw corrupt(object.key);
  return putBytes(deps, object, body);
};
