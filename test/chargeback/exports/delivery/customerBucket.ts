import { createHash } from 'node:crypto';
import type {
  AssumeRole,
  CustomerRole,
} from '../../../../functions/platform/customerBuckets/assumeRole.aws.ts';
import type { bucketRequests } from '../../../../functions/platform/customerBuckets/bucketRequests.ts';
import { externalIdOf } from '../../../../functions/platform/customerBuckets/externalId.ts';
import type { EgressOutcome } from '../../../../functions/platform/egress/outcome.ts';

export const BUCKET = 'example-finance';
export const REGION = 'eu-west-1';
export const ACCOUNT = '111122223333';
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/attribution-exports-finance`;
export const LOCATION = `s3://${BUCKET}/ai`;
export const DESTINATION = { name: 'Finance', location: LOCATION, region: REGION, role_arn: ROLE };

/** What happens to one request: no effect, or an effect whose answer is lost. */
export interface RequestFault {
  readonly request: number;
  readonly moment: 'before' | 'after';
}

type RequestsOf = typeof bucketRequests;
type ObjectRequest = Parameters<ReturnType<RequestsOf>>[0];

const answer = (status: number, body = '', headers: Record<string, string> = {}): EgressOutcome => ({
  kind: 'answered',
  status,
  retryAfter: headers['retry-after'] ?? null,
  headers,
  body: Buffer.from(body),
  truncated: false,
  latency: 0,
});
const refusal = (status: number, code: string, headers: Record<string, string> = {}): EgressOutcome =>
  answer(
    status,
    `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>text of AWS</Message></Error>`,
    headers,
  );
const LOST: EgressOutcome = { kind: 'failed', failure: 'reset', status: null, latency: 0 };

/** Whether a pattern of a policy, whose only wildcard is a star at its end, names an ARN. */
const names = (pattern: string, arn: string): boolean =>
  pattern.endsWith('*') ? arn.startsWith(pattern.slice(0, -1)) : pattern === arn;

/** STS and the bucket of a customer, as far as deliveries use them. */
export const customerBucket = () => {
  const objects = new Map<string, Buffer>();
  /** The history of the bucket: each key that appeared. */
  const puts: string[] = [];
  const uploads = new Map<string, Map<number, Buffer>>();
  const trusted = new Map<string, string>();
  const sessions = new Map<string, CustomerRole>();
  const state: { instead: ((request: ObjectRequest) => EgressOutcome | null) | null; owner: string } = {
    instead: null,
    owner: ACCOUNT,
  };
  let requests = 0;
  let fault: RequestFault | undefined;

  const assumeRole: AssumeRole = async (role) => {
    if (trusted.get(role.arn) !== externalIdOf(role.resourceId)) return { kind: 'failed', error: 'refused' };
    const accessKeyId = `ASIA${sessions.size}`;
    sessions.set(accessKeyId, role);
    return { kind: 'session', accessKeyId, secretAccessKey: 'secret', sessionToken: 'token' };
  };

  const isAllowed = (role: CustomerRole | undefined, action: string, key: string): boolean =>
    (role?.statements ?? []).some(
      ({ Action, Resource }) =>
        [Action].flat().includes(action) && names(Resource, `arn:aws:s3:::${BUCKET}/${key}`),
    );

  const put = (key: string, body: Buffer): void => {
    objects.set(key, body);
    puts.push(key);
  };

  const serve = ({ method, key, query = {}, body = new Uint8Array() }: ObjectRequest): EgressOutcome => {
    const { uploadId, partNumber } = query;
    const parts = uploads.get(uploadId ?? '');
    if (method === 'POST' && 'uploads' in query) {
      const id = `upload/${uploads.size}+=`;
      uploads.set(id, new Map());
      return answer(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (uploadId !== undefined && parts === undefined) return refusal(404, 'NoSuchUpload');
    if (method === 'PUT' && parts !== undefined) {
      parts.set(Number(partNumber), Buffer.from(body));
      return answer(200, '', { etag: `"${createHash('md5').update(body).digest('hex')}"` });
    }
    if (method === 'POST' && parts !== undefined) {
      put(key, Buffer.concat([...parts].sort(([one], [other]) => one - other).map(([, part]) => part)));
      uploads.delete(uploadId ?? '');
      return answer(200, '<CompleteMultipartUploadResult/>');
    }
    if (method === 'DELETE') {
      uploads.delete(uploadId ?? '');
      return answer(204);
    }
    put(key, Buffer.from(body));
    return answer(200);
  };

  const requestsOf: (
    ...given: Parameters<RequestsOf> extends [unknown, ...infer Rest] ? Rest : never
  ) => ReturnType<RequestsOf> =
    ({ bucket, region }, { accessKeyId }) =>
    async (request) => {
      const hit = fault?.request === requests ? fault : undefined;
      requests += 1;
      if (hit?.moment === 'before') return LOST;
      const action = request.method === 'DELETE' ? 's3:AbortMultipartUpload' : 's3:PutObject';
      const outcome =
        state.instead?.(request) ??
        (region !== REGION
          ? ({ kind: 'failed', failure: 'redirect', status: 301, latency: 0 } as const)
          : bucket !== BUCKET
            ? refusal(404, 'NoSuchBucket')
            : request.headers?.['x-amz-expected-bucket-owner'] !== state.owner ||
                !isAllowed(sessions.get(accessKeyId), action, request.key)
              ? refusal(403, 'AccessDenied')
              : serve(request));
      return hit === undefined ? outcome : LOST;
    };

  return {
    objects,
    puts,
    uploads,
    state,
    access: { assumeRole, requestsOf },
    refusal,
    /** The trust policy of a role: which destination may assume it. */
    trust: (destinationId: string, role = ROLE) => trusted.set(role, destinationId),
    distrust: (role = ROLE) => trusted.delete(role),
    arm: (next: RequestFault | undefined) => {
      [fault, requests] = [next, 0];
    },
    requests: () => requests,
    json: (key: string): unknown => {
      const found = objects.get(key);
      return found === undefined ? undefined : JSON.parse(found.toString());
    },
  };
};
