import {
  EXPORT_URL_MINUTES,
  type ExportJobWithFiles,
  type StoredExport,
} from '../../../../schemas/chargeback/exports.ts';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { requireRecentSignIn } from '../../../identity/access/authorizeMiddleware.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import type { PresignUrl } from '../files/file.store.ts';
import { toResponse } from './job.ts';
import { objectKeys } from './objectKeys.ts';
import { requireVisible } from './requireVisible.ts';

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

/**
 * An export with the URLs of its files, if it has any. Throws the errors of `requireVisible`, and STEP_UP_REQUIRED for URLs
 * when the user's sign-in is too old.
 */
export const exportWithFiles = async (
  caller: Caller,
  stored: StoredExport,
  sign: PresignUrl,
  now: number,
): Promise<ExportJobWithFiles> => {
  const job = requireVisible(caller, stored);
  const response = toResponse(job, now);
  if (response.status !== 'succeeded') return response;
  // The links need no credential, so a stolen session must not get them. Polling needs no recent sign-in.
  requireRecentSignIn(caller, now);
  return { ...response, ...(await signDownloadUrls(job, sign, now)) };
};
