import { expect } from 'vitest';
import { securityHeaders } from '../../../../schemas/platform/securityHeaders.ts';
import { Problem, problemSlug, problemTypes } from '../../../../schemas/problems.ts';
import { type RouteShape, routeKey } from '../../../../schemas/routes/route.ts';
import type { Answer } from '../../../support/client.ts';
import { type OpenApiDocument, operationIn } from './openapiDocument.ts';

export interface Service {
  readonly baseUrl: string;
  readonly document: OpenApiDocument;
  /** Names that no response may contain: tables, queues, engines, other tenants. */
  readonly internals: readonly string[];
}

/**
 * Patterns of leaked errors of the service, the runtime or an SDK. Word boundaries and case keep them from matching the
 * random characters of a cursor or a secret.
 */
const LEAK =
  /\n\s+at |node:internal|node_modules|\.[cm]?[jt]s:\d+|arn:aws|amazonaws|\bAWS_[A-Z]|[Ee]xception|\bECONN|\bETIMEDOUT|\$metadata|ZodError|[Dd]ynamo[Dd][Bb]|ResourceNotFound/;

/** The roles that the contract shows: those of customers that a tenant has named, and ours that they trust. */
const SHOWN_ROLES =
  /arn:aws:iam::\d{12}:role\/(?:attribution-(?:bills|exports)-|[a-z-]+-(?:bill-importer|export-deliverer)-)[\w-]+/g;

const expectNoLeak = (text: string, { baseUrl, internals }: Service): void => {
  const shown = text.replaceAll(baseUrl, '').replaceAll(SHOWN_ROLES, '');
  expect(shown).not.toMatch(LEAK);
  expect(internals.filter((name) => shown.includes(name))).toEqual([]);
};

/** Expects a problem document (RFC 9457). `tenantId` is the tenant of an authenticated caller. */
export const expectProblem = (answer: Answer, service: Service, tenantId?: string): Problem => {
  const problem = Problem.parse(answer.body);
  const page = `${service.baseUrl}/errors/${problemSlug(problem.error_code)}`;
  // An OpenTelemetry endpoint answers with a `google.rpc.Status`, which has a numeric code.
  const isStatus = typeof answer.body['code'] === 'number';
  expect(answer.headers.get('content-type')).toBe(isStatus ? 'application/json' : 'application/problem+json');
  expect(answer.headers.get('x-trace-id')).toBe(problem.trace_id);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(problem).toMatchObject({
    status: answer.status,
    title: problemTypes[problem.error_code].title,
    type: page,
    docs_url: page,
  });
  expect(problem.status).toBe(problemTypes[problem.error_code].status);
  expect(problem.tenant_id).toBe(tenantId);
  if (answer.status === 401)
    expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toMatch(/^(Bearer|Basic)/);
  expect(problem.www_authenticate).toBe(answer.headers.get('x-amzn-remapped-www-authenticate') ?? undefined);
  if (problemTypes[problem.error_code].retryable) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expectNoLeak(answer.text, service);
  return problem;
};

const expectReply = (route: RouteShape, answer: Answer, service: Service): void => {
  const reply = route.replies[answer.status];
  expect(reply, `${routeKey(route)} declares no ${answer.status}`).toBeDefined();
  if (reply?.body === undefined) {
    expect(answer.text).toBe('');
    return;
  }
  const { contentType = 'application/json' } = reply;
  const sent = answer.headers.get('content-type');
  expect(sent).toContain(contentType === '*/*' ? '/' : contentType);
  if (contentType !== 'application/json') return;
  // Compared for equality, because the schema drops unknown members when it parses.
  expect(reply.body.parse(answer.body)).toEqual(answer.body);
  expectNoLeak(answer.headers.get('content-type')?.includes('json') ? answer.text : '', service);
};

/** Expects the properties of every response of every route. `tenantId` is the tenant of an authenticated caller. */
export const expectConforming = (
  route: RouteShape,
  answer: Answer,
  service: Service,
  tenantId?: string,
): void => {
  const documented = operationIn(service.document, route)?.responses ?? {};
  expect(Object.keys(documented), answer.text).toContain(String(answer.status));
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  const { 'content-security-policy': policy, ...others } = securityHeaders(service.baseUrl);
  const isPage = answer.headers.get('content-type')?.startsWith('text/html');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ...others,
    // A page loads its own scripts and styles, and nothing else.
    'content-security-policy': isPage
      ? expect.stringMatching(/^default-src 'none'; script-src 'self';/)
      : policy,
  });
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    if (tenantId !== undefined) expect(answer.headers.get(name), name).toMatch(/^\d+$/);
    else expect(answer.headers.get(name), name).toBeNull();
  }
  if (answer.status >= 400) {
    const { error_code } = expectProblem(answer, service, tenantId);
    expect(documented[answer.status]?.description).toContain(`${error_code}: `);
  } else {
    // Documents of the contract hold no data of a tenant. Clients keep them and ask with their ETag.
    const caching = route.access === 'contract' ? 'no-cache' : 'no-store';
    if (route.access !== 'public') expect(answer.headers.get('cache-control')).toContain(caching);
    expectReply(route, answer, service);
  }
};
