import type { RoleSession } from '../../../../platform/customerBuckets/assumeRole.aws.ts';
import { bucketRequests } from '../../../../platform/customerBuckets/bucketRequests.ts';
import type { EgressOutcome } from '../../../../platform/egress/outcome.ts';
import { parseRetryAfter } from '../../../../platform/egress/retryAfter.ts';
import { failReport, type ReportFailure } from '../reports/readReport.ts';
import type { ExportLocation } from './dataExport.ts';

/** An object of an export, or a part of it. */
export interface ExportObject {
  readonly kind: 'object';
  readonly body: Uint8Array;
  readonly lastModified: string;
  readonly etag: string;
  /** The size of the whole object. */
  readonly size: number;
}

/** Conditions of a read. `range` is the value of the header. `etag`: fails if the object has changed. */
interface ReadOptions {
  readonly range?: string;
  readonly etag?: string;
}

export type ReadObject = (key: string, options?: ReadOptions) => Promise<ExportObject | ReportFailure>;

const failureOf = (outcome: EgressOutcome, now: number): ReportFailure | null => {
  if (outcome.kind === 'failed') {
    // S3 redirects to the region of a bucket.
    if (outcome.failure === 'redirect') return failReport('not_found');
    return failReport(outcome.failure === 'protocol' ? 'unreadable' : 'unavailable');
  }
  const { status, retryAfter, truncated } = outcome;
  if (status === 429) return failReport('rate_limited', parseRetryAfter(retryAfter, now));
  if (status >= 500) return failReport('unavailable', parseRetryAfter(retryAfter, now));
  // The object changed while it was read.
  if (status === 412) return failReport('unavailable');
  if (status === 404) return failReport('not_found');
  if (status === 416) return failReport('unreadable');
  if (status !== 200 && status !== 206) return failReport('refused');
  return truncated ? failReport('too_large') : null;
};

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : '';

/** Reads objects of an export with the credentials of its role. `deps` are those of {@link bucketRequests}. */
export const exportObjects = (
  deps: Parameters<typeof bucketRequests>[0],
  location: ExportLocation,
  session: RoleSession,
): ReadObject => {
  const send = bucketRequests(deps, location, session);
  const readObject: ReadObject = async (key, { range, etag } = {}) => {
    const outcome = await send({
      method: 'GET',
      key,
      headers: {
        ...(range !== undefined && { range }),
        ...(etag !== undefined && { 'if-match': etag }),
      },
    });
    // S3 answers the end of a shorter object with all of it. Some servers that replace S3 refuse it.
    if (outcome.kind === 'answered' && outcome.status === 416 && range?.startsWith('bytes=-')) {
      return readObject(key, etag === undefined ? {} : { etag });
    }
    const failure = failureOf(outcome, deps.now());
    if (failure !== null || outcome.kind === 'failed') return failure ?? failReport('unavailable');
    const answered = outcome.headers ?? {};
    const total = /\/(\d{1,15})$/.exec(textOf(answered['content-range']))?.[1];
    return {
      kind: 'object',
      body: outcome.body,
      lastModified: textOf(answered['last-modified']),
      etag: textOf(answered['etag']),
      size: total === undefined ? outcome.body.length : Number(total),
    };
  };
  return readObject;
};
