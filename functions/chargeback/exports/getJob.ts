import {
  EXPORT_URL_MINUTES,
  type ExportJobWithFiles,
  type StoredExport,
} from '../../../schemas/chargeback/exports.ts';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { getJob } from '../../../schemas/routes/chargeback/exports.ts';
import { requireRecentSignIn } from '../../identity/access/authorizeMiddleware.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { PresignUrl } from './files/file.store.ts';
import { toResponse } from './job/job.ts';
import { objectKeys } from './job/objectKeys.ts';
import { requireVisible } from './job/requireVisible.ts';

type DownloadUrls = Pick<
  ExportJobWithFiles,
  'result_url' | 'result_urls' | 'manifest_url' | 'metadata_url' | 'expires_at'
>;

/** Presigned URLs of the files of a successful export, signed at `now` (epoch milliseconds). */
const signDownloadUrls = async (
  { tenant_id, job_id, request, result }: StoredExport,
  sign: PresignUrl,
  now: number,
): Promise<DownloadUrls> => {
  const keys = objectKeys(tenant_id, job_id);
  const files = (result?.files ?? []).flatMap(({ month, first, count }) =>
    Array.from({ length: count }, (_, index) => keys.file(month, first + index, request.file_format)),
  );
  const signed = (key: string): Promise<string> => sign(key, EXPORT_URL_MINUTES * 60);
  const [manifest_url, metadata_url, ...result_urls] = await Promise.all(
    [keys.manifest, keys.metadata, ...files].map(signed),
  );
  const expires_at = toIso(now + EXPORT_URL_MINUTES * MINUTE_MS);
  return { result_url: result_urls[0], result_urls, manifest_url, metadata_url, expires_at };
};

export default operation(getJob, async ({ parameters, caller, receivedAt: now, stores }) => {
  const job = requireVisible(
    caller,
    await stores.exports.read(caller.tenant.tenant_id, parameters['job_id'] ?? ''),
  );
  const response = toResponse(job, now);
  if (response.status !== 'succeeded') return reply(200, response);
  // The links need no credential, so a stolen session must not get them. Polling needs no recent sign-in.
  requireRecentSignIn(caller, now);
  return reply(200, { ...response, ...(await signDownloadUrls(job, stores.sign, now)) });
});
