import { EXPORT_URL_MINUTES, type ExportJobWithFiles, type StoredExport } from '../../schemas/exports.ts';
import { getJob } from '../../schemas/routes/exports.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { LENGTH } from '../rollups/period.ts';
import { orUnavailable } from '../shared/problem.ts';
import type { Sign } from './files/file.store.ts';
import { shown } from './job/job.ts';
import { exportKeys } from './job/keys.ts';
import { seenBy } from './job/seenBy.ts';

type Addresses = Pick<
  ExportJobWithFiles,
  'result_url' | 'result_urls' | 'manifest_url' | 'metadata_url' | 'expires_at'
>;

/** Addresses of the files of an export that has succeeded, signed at `now`. */
const addressesOf = async (
  { tenant_id, job_id, request, result }: StoredExport,
  sign: Sign,
  now: number,
): Promise<Addresses> => {
  const keys = exportKeys(tenant_id, job_id);
  const files = (result?.files ?? []).flatMap(({ month, first, count }) =>
    Array.from({ length: count }, (_, index) => keys.file(month, first + index, request.file_format)),
  );
  const signed = (key: string): Promise<string> => sign(key, EXPORT_URL_MINUTES * 60);
  const [manifest_url, metadata_url, ...result_urls] = await Promise.all(
    [keys.manifest, keys.metadata, ...files].map(signed),
  );
  const expires_at = new Date(now + EXPORT_URL_MINUTES * LENGTH.minute).toISOString();
  return { result_url: result_urls[0], result_urls, manifest_url, metadata_url, expires_at };
};

export default operation(getJob, ({ parameters, caller, receivedAt: now, stores }) =>
  orUnavailable(async () => {
    const job = seenBy(
      caller,
      await stores.exports.read(caller.tenant.tenant_id, parameters['job_id'] ?? ''),
    );
    const told = shown(job, now);
    const addresses = told.status === 'succeeded' ? await addressesOf(job, stores.sign, now) : {};
    return reply(200, { ...told, ...addresses });
  }),
);
