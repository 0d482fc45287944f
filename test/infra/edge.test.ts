import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { createApp } from '../../lib/app.ts';
import { EdgeStack } from '../../lib/edge/edgeStack.ts';
import { ORIGIN_RESPONSE_SOURCE } from '../../lib/edge/originResponseFunction.ts';

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

type Headers = Record<string, { key?: string; value: string }[]>;

/** Runs the source of the function as Lambda does, as a CommonJS module. */
const handle = async (headers: Headers): Promise<{ headers: Headers }> => {
  const exported: { handler?: (event: unknown) => Promise<{ headers: Headers }> } = {};
  new Function('exports', ORIGIN_RESPONSE_SOURCE)(exported);
  const response = await exported.handler?.({ Records: [{ cf: { response: { headers } } }] });
  if (response === undefined) throw new Error('The source exports no handler');
  return response;
};

it('restores the header WWW-Authenticate that API Gateway renamed', async () => {
  const renamed = { 'x-amzn-remapped-www-authenticate': [{ value: 'Bearer error="invalid_token"' }] };

  expect((await handle(renamed)).headers).toEqual({
    'www-authenticate': [{ key: 'WWW-Authenticate', value: 'Bearer error="invalid_token"' }],
  });
});

it('changes no other header', async () => {
  const headers = { 'content-type': [{ key: 'Content-Type', value: 'application/json' }] };

  expect((await handle(headers)).headers).toEqual(headers);
});
