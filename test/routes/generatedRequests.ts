import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import pMap from 'p-map';
import { describe, expect, it } from 'vitest';
import { routes } from '../../schemas/routes/index.ts';
import { routeKey } from '../../schemas/routes/route.ts';
import { conformanceOf, isGatewayError } from '../platform/apiDocs/contract/conformance.ts';
import { type Fixtures, requestsTo } from '../platform/apiDocs/contract/fuzzRequests.ts';
import type { OpenApiDocument } from '../platform/apiDocs/contract/openapiDocument.ts';
import { call } from '../support/client.ts';
import { runs } from '../support/properties.ts';
import type { RouteWorld } from './world.ts';

const FIXED_SEED = 20_261_122;
const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);
/**
 * Set FUZZ_SEED to repeat a run with other requests, and FUZZ_REQUESTS for more of them. The soak sends other requests each
 * time. The title of the test holds the seed.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? (runs(1) === 1 ? FIXED_SEED : newSeed()));
/** The requests to a route are the same whatever other routes there are. */
const seedOf = (operation: string): number => (SEED + crc32(operation)) % 2 ** 31;
const REQUESTS_PER_ROUTE = Number(process.env['FUZZ_REQUESTS'] ?? runs(5));

const fixturesOf = async (world: RouteWorld): Promise<Fixtures> => {
  const { adminKey, client, ingestKey, otherKey } = world;
  const { client_id, client_secret } = client;
  const granted = await call(world.service.baseUrl, '/v1/oauth/token', {
    method: 'POST',
    idempotencyKey: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
  });
  return {
    client,
    valid: [
      ...Array.from({ length: 8 }, () => ({ 'x-api-key': adminKey })),
      { authorization: `Bearer ${granted.body['access_token']}` },
      { 'x-api-key': ingestKey },
      { 'x-api-key': otherKey },
    ],
    invalid: [
      { 'x-api-key': 'ask_test_nothing' },
      { authorization: 'Bearer a.b.c' },
      { authorization: 'Basic YTpi' },
      { 'x-api-key': adminKey, authorization: 'Bearer a.b.c' },
    ],
    idsOf: (prefix) => [world.missingId(prefix), world.missingOtherId(prefix), 'none', '%E0%A4%A', 'a%2Fb'],
  };
};

/** Generated requests to every route, whose responses are compared with the OpenAPI document. */
export const testGeneratedRequests = (world: RouteWorld): void => {
  describe(`every response matches the OpenAPI document (seed ${SEED})`, () => {
    it(`for ${REQUESTS_PER_ROUTE} generated requests to each of the ${routes.length} routes`, async () => {
      const fixtures = await fixturesOf(world);
      const faultsOf = conformanceOf(world.service.document);
      const requests = routes.flatMap((route) =>
        fc
          .sample(requestsTo(route, fixtures), { seed: seedOf(route.operation), numRuns: REQUESTS_PER_ROUTE })
          .map((sent) => ({ sent, name: routeKey(route), unit: route.unit })),
      );
      const statuses = new Map<number, number>();

      const send = async ({ sent, name }: (typeof requests)[number]) => {
        const answer = await call(world.service.baseUrl, sent.path, sent.request);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const { method = 'GET' } = sent.request;
        const [path = ''] = sent.path.split('?');
        const faults = faultsOf({ method, path, answer, isAuthenticated: sent.isAuthenticated });
        const isNameless =
          answer.status >= 400 &&
          method !== 'HEAD' &&
          !isGatewayError(answer) &&
          answer.headers.has('ratelimit-limit') !== 'tenant_id' in answer.body;
        const isUnlocated =
          (answer.status === 400 || answer.status === 422) &&
          method !== 'HEAD' &&
          !isGatewayError(answer) &&
          !Array.isArray(answer.body['errors']);
        const all = [
          ...faults,
          ...(isNameless ? ['tenant_id and the RateLimit headers are not sent together'] : []),
          ...(isUnlocated ? ['a 400 or 422 without errors'] : []),
          ...(answer.status >= 500 && answer.status !== 503 ? ['a failure of the service'] : []),
        ];
        const example = `${sent.path} ${answer.text.slice(0, 300)}`;
        return all.map((fault) => [`${name}: ${method} → ${answer.status}: ${fault}`, example] as const);
      };
      // A function has one environment. Functions work side by side, so that none waits while another delays a refusal.
      const byUnit = Object.values(Object.groupBy(requests, ({ unit }) => unit));
      const sendInTurn = (ofUnit: typeof requests) => pMap(ofUnit, send, { concurrency: 1 });
      const faults = (await Promise.all(byUnit.map(sendInTurn))).flat(2);

      // One example of each kind.
      expect(Object.fromEntries(faults)).toEqual({});
      // The generator must reach successes and every kind of refusal, or the run proves nothing.
      expect([...statuses.keys()]).toEqual(
        expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 405, 415, 422, 431]),
      );
    });
  });

  describe('the comparison with the document fails', () => {
    const exchange = async (change: (altered: OpenApiDocument) => void) => {
      const altered = structuredClone(world.service.document);
      change(altered);
      const answer = await call(world.service.baseUrl, '/api/v1/rate-limit', { key: world.adminKey });
      return conformanceOf(altered)({
        method: 'GET',
        path: '/api/v1/rate-limit',
        answer,
        isAuthenticated: true,
      });
    };
    const responseIn = ({ paths }: OpenApiDocument) => paths['/api/v1/rate-limit']?.get?.responses;

    it('not for a response that matches', async () => {
      expect(await exchange(() => undefined)).toEqual([]);
    });

    it('for a status that the operation does not document', async () => {
      const faults = await exchange((altered) => delete responseIn(altered)?.['200']);

      expect(faults).toEqual(['get /api/v1/rate-limit documents no 200']);
    });

    it('for a member that the schema does not have', async () => {
      const faults = await exchange(({ components }) => {
        delete Object(components.schemas['RateLimitBudget']).properties.plan;
      });

      expect(faults).toEqual([expect.stringContaining('must NOT have additional properties')]);
    });

    it('for a header that is not documented, and for a content type', async () => {
      const headers = await exchange(
        (altered) => delete responseIn(altered)?.['200']?.headers?.['RateLimit-Reset'],
      );
      const type = await exchange((altered) => {
        const response = responseIn(altered)?.['200'];
        if (response?.content) response.content = { 'text/html': { schema: {} } };
      });

      expect(headers).toEqual(['header ratelimit-reset is not documented']);
      expect(type).toEqual(['content type application/json is not documented']);
    });
  });
};
