import { createRequire } from 'node:module';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { createApp } from '../../lib/app.ts';
import { EdgeStack } from '../../lib/edge/edgeStack.ts';
import { originResponseSource } from '../../lib/edge/originResponseFunction.ts';
import { gatewayStatuses } from '../../schemas/gatewayProblems.ts';
import { Problem } from '../../schemas/problems.ts';

process.env['CDK_VALIDATION'] = 'false';

const template = () =>
  Template.fromStack(
    new EdgeStack(createApp(), 'edge', {
      domainName: 'edge.example.org',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0d1e',
      originDomainName: 'api.example.org',
      requestsPerAddress: 1_000,
    }),
  );

it('sends every request to the custom domain of the API over TLS, without caching', () => {
  template().hasResourceProperties('AWS::CloudFront::Distribution', {
    DistributionConfig: {
      Aliases: ['edge.example.org'],
      Origins: [
        { DomainName: 'api.example.org', CustomOriginConfig: { OriginProtocolPolicy: 'https-only' } },
      ],
      // The managed policy CachingDisabled.
      DefaultCacheBehavior: {
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        ViewerProtocolPolicy: 'https-only',
      },
    },
  });
});

it('limits the requests of one address', () => {
  template().hasResourceProperties('AWS::WAFv2::WebACL', {
    Scope: 'CLOUDFRONT',
    Rules: [
      { Name: 'rate', Statement: { RateBasedStatement: { Limit: 1_000, AggregateKeyType: 'IP' } } },
      {},
    ],
  });
});

it('answers an address above its rate with a problem and Retry-After', () => {
  const [acl] = Object.values(template().findResources('AWS::WAFv2::WebACL'));
  const { CustomResponseBodies, Rules } = Object(acl)['Properties'];

  expect(
    Problem.omit({ instance: true, trace_id: true }).parse(JSON.parse(CustomResponseBodies.rate.Content)),
  ).toMatchObject({ status: 429, error_code: 'RATE_LIMITED' });
  expect(Rules[0].Action.Block.CustomResponse).toMatchObject({
    ResponseCode: 429,
    CustomResponseBodyKey: 'rate',
    ResponseHeaders: [{ Name: 'Retry-After' }],
  });
});

type Headers = Record<string, { key?: string; value: string }[]>;
interface EdgeResponse {
  readonly status?: string;
  readonly headers: Headers;
  readonly body?: string;
}

const SOURCE = originResponseSource('https://edge.example.org');

/** Runs the source of the function as Lambda does, as a CommonJS module. */
const handle = async (sent: EdgeResponse, method = 'GET'): Promise<EdgeResponse> => {
  const exported: { handler?: (event: unknown) => Promise<EdgeResponse> } = {};
  new Function('exports', 'require', SOURCE)(exported, createRequire(import.meta.url));
  const request = { method, uri: '/v1/reports/usage' };
  const response = await exported.handler?.({
    Records: [{ cf: { request, response: structuredClone(sent) } }],
  });
  if (response === undefined) throw new Error('The source exports no handler');
  return response;
};
const valueIn = ({ headers }: EdgeResponse, name: string): string | undefined => headers[name]?.[0]?.value;

it('restores the header WWW-Authenticate that API Gateway renamed', async () => {
  const renamed = { 'x-amzn-remapped-www-authenticate': [{ value: 'Bearer error="invalid_token"' }] };

  expect((await handle({ headers: renamed })).headers).toEqual({
    'www-authenticate': [{ key: 'WWW-Authenticate', value: 'Bearer error="invalid_token"' }],
  });
});

const OF_GATEWAY = { 'content-type': [{ value: 'application/json' }], 'content-length': [{ value: '33' }] };

it.each(gatewayStatuses)('makes the response %i of API Gateway itself a problem document', async (status) => {
  const answer = await handle({ status: String(status), headers: OF_GATEWAY });

  const problem = Problem.parse(JSON.parse(answer.body ?? ''));
  expect(problem).toMatchObject({
    status,
    instance: '/v1/reports/usage',
    trace_id: valueIn(answer, 'x-trace-id'),
  });
  expect(valueIn(answer, 'content-type')).toBe('application/problem+json');
  expect(valueIn(answer, 'content-length')).toBeUndefined();
  expect(valueIn(answer, 'retry-after') !== undefined).toBe(status === 429 || status === 503);
});

it('gives the answer to HEAD no body', async () => {
  expect((await handle({ status: '503', headers: OF_GATEWAY }, 'HEAD')).body).toBeUndefined();
});

it.each(['200', '403', '429', '503'])(
  'changes nothing else of a response %s of the service',
  async (status) => {
    const headers = { 'content-type': [{ value: 'application/json' }], 'x-trace-id': [{ value: 'a' }] };

    expect(await handle({ status, headers })).toEqual({ status, headers });
  },
);

it('fits into a template', () => {
  expect(SOURCE.length).toBeLessThanOrEqual(4_096);
});
