import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import type { SendObjectRequest } from '../../../platform/customerBuckets/bucketRequests.ts';
import type { FileReader } from '../files/file.store.ts';
import { objectKeys } from '../job/objectKeys.ts';
import { contentTypes, JSON_TYPE } from '../steps/contentTypes.ts';
import type { DeliveryFailure } from './bucketAnswer.ts';
import type { Assigned } from './dataset.ts';
import { type BucketPlace, deliveredKeys } from './deliveredKeys.ts';
import { deliveredManifest, fileNameOf, parseManifest } from './deliveredManifest.ts';
import { putBytes, putFile } from './putFile.ts';

interface PutExportDeps {
  readonly files: FileReader;
  readonly send: SendObjectRequest;
  readonly clock: () => number;
  /** No file begins after the first instant, and no part after the second, in epoch milliseconds. */
  readonly until: { readonly files: number; readonly parts: number };
  /** Renews the right to put files. `done` files are in the bucket. False: somebody else has it. */
  readonly keep: (done: number) => Promise<boolean>;
}

/**
 * Puts the files of an export that are not in the bucket yet, its metadata, the manifest of the version, and last the current
 * manifest: until then a reader finds the version before. Everything has the same key and bytes when it is repeated.
 * `unfinished`: no time was left. `lost`: somebody else delivers.
 */
export const putExport = async (
  { files, send, clock, until, keep }: PutExportDeps,
  job: StoredExport,
  {
    place,
    name,
    month,
    assigned,
  }: {
    readonly place: BucketPlace;
    readonly name: string;
    readonly month: string;
    readonly assigned: Assigned;
  },
): Promise<DeliveryFailure | 'put' | 'unfinished' | 'lost'> => {
  const source = objectKeys(job.tenant_id, job.job_id);
  const manifest = parseManifest(await files.read(source.manifest));
  const keys = deliveredKeys(place, { name }, month, assigned.version);
  const deps = { send, clock, until: until.parts };
  for (const [index, file] of manifest.files.entries()) {
    if (index < assigned.files_done) continue;
    if (clock() >= until.files) return 'unfinished';
    const { key, bytes, sha256 } = file;
    const failure = await putFile(
      deps,
      { key: keys.file(fileNameOf(file)), contentType: contentTypes[job.request.file_format] },
      { bytes, sha256, read: (from, to) => files.read(key, { from, to }) },
    );
    if (failure !== null) return failure;
    if (!(await keep(index + 1))) return 'lost';
  }
  const { version, supersedes } = assigned;
  const delivered = {
    bucket: place.bucket,
    name,
    billing_period: month,
    edition: job.edition,
    version,
    supersedes,
  };
  const text = Buffer.from(deliveredManifest(manifest, delivered, keys.file));
  const documents = [
    [keys.metadata, await files.read(source.metadata)],
    [keys.manifest, text],
    [keys.current, text],
  ] as const;
  for (const [key, body] of documents) {
    const failure = await putBytes(deps, { key, contentType: JSON_TYPE }, body);
    if (failure !== null) return failure;
  }
  return 'put';
};
