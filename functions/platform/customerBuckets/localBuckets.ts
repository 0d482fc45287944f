import { stopwatch } from '../shared/time/clock.ts';
import type { AssumeRole } from './assumeRole.aws.ts';
import { bucketRequests } from './bucketRequests.ts';

/**
 * Buckets of the S3 engine of one machine, at `baseUrl`, in place of those of customers. It has no roles, so the credentials of
 * the function stand for all of them, and it is reached without TLS, which the client for outside hosts refuses.
 */
export const localBuckets = (
  { baseUrl, now }: { readonly baseUrl: string; readonly now: () => number },
  environment: NodeJS.ProcessEnv,
) => {
  const assumeRole: AssumeRole = async () => ({
    kind: 'session',
    accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    sessionToken: environment['AWS_SESSION_TOKEN'] ?? 'local',
  });
  const send: Parameters<typeof bucketRequests>[0]['send'] = async (url, { method, headers, body }) => {
    const started = stopwatch.now();
    try {
      const response = await fetch(url, { method, headers, ...(body && { body: Buffer.from(body) }) });
      return {
        kind: 'answered',
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        headers: Object.fromEntries(response.headers),
        body: await response.bytes(),
        truncated: false,
        latency: stopwatch.now() - started,
      };
    } catch {
      return { kind: 'failed', failure: 'connect', status: null, latency: stopwatch.now() - started };
    }
  };
  return { assumeRole, requestsOf: bucketRequests.bind(null, { send, now, baseUrl }) };
};
