import { expect, it } from 'vitest';
import * as z from 'zod';
import { consoleRoutes, routes } from '../../schemas/routes/index.ts';
import { gatewayKeysOf, routeKey, units } from '../../schemas/routes/route.ts';
import { functionId, Reference, resourcesOf, templateOf } from './stack.ts';

// With aliases a function is one step further away: test/infra/gradualDeployment.test.ts.
const template = templateOf({ gradualDeployment: false });
const allRoutes = [...routes, ...consoleRoutes];

const Target = z.object({
  'Fn::Join': z.tuple([z.literal(''), z.tuple([z.literal('integrations/'), Reference])]),
});
const integrations = resourcesOf(
  template,
  'AWS::ApiGatewayV2::Integration',
  z.object({ IntegrationUri: Reference, PayloadFormatVersion: z.literal('2.0') }),
);
const functionByRoute = new Map(
  [
    ...resourcesOf(template, 'AWS::ApiGatewayV2::Route', z.object({ RouteKey: z.string(), Target })).values(),
  ].map(({ RouteKey, Target }) => [RouteKey, integrations.get(Target['Fn::Join'][1][1])?.IntegrationUri]),
);

it.each(allRoutes.map((route) => [routeKey(route), route.unit]))('routes %s to unit %s', (key, unit) => {
  expect(functionByRoute.get(key)).toBe(functionId(template, 'Units', unit));
});

it('routes unmatched requests to the contract unit', () => {
  expect(functionByRoute.get('$default')).toBe(functionId(template, 'Units', 'contract'));
});

it('declares only the routes of the route table', () => {
  expect([...functionByRoute.keys()].sort()).toEqual(
    [...allRoutes.flatMap(gatewayKeysOf), '$default'].sort(),
  );
});

it.each(units)('allows only this API to invoke unit %s', (unit) => {
  const all = resourcesOf(
    template,
    'AWS::Lambda::Permission',
    z.object({ FunctionName: Reference, Principal: z.string(), SourceArn: z.unknown() }),
  );
  const permissions = [...all.values()].filter(
    (permission) => permission.FunctionName === functionId(template, 'Units', unit),
  );
  const [api] = resourcesOf(template, 'AWS::ApiGatewayV2::Api', z.unknown()).keys();

  expect(permissions).toHaveLength(1);
  expect(permissions[0]?.Principal).toBe('apigateway.amazonaws.com');
  expect(JSON.stringify(permissions[0]?.SourceArn)).toContain(`{"Ref":"${api}"},"/*"`);
});

it('keeps callers, tenants and ids out of the access log', () => {
  const [stage] = resourcesOf(
    template,
    'AWS::ApiGatewayV2::Stage',
    z.object({ AccessLogSettings: z.object({ Format: z.string() }) }),
  ).values();
  const logged = z.record(z.string(), z.string()).parse(JSON.parse(stage?.AccessLogSettings.Format ?? ''));

  expect(Object.values(logged).sort()).toEqual([
    '$context.error.responseType',
    '$context.requestId',
    '$context.responseLatency',
    '$context.routeKey',
    '$context.status',
  ]);
});
