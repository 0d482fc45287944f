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
const Invocations = z.strictObject({
  Action: z.literal('lambda:InvokeFunction'),
  Effect: z.literal('Allow'),
  Resource: z.array(Reference),
});
const Role = z.object({
  AssumeRolePolicyDocument: z.object({ Statement: z.unknown() }),
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(z.unknown()) }) })).default([]),
});
const integrations = resourcesOf(
  template,
  'AWS::ApiGatewayV2::Integration',
  z.object({
    IntegrationUri: Reference,
    CredentialsArn: Reference,
    PayloadFormatVersion: z.literal('2.0'),
  }),
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

it('invokes the units by one role that allows nothing else, and no unit has another permission', () => {
  const permitted = resourcesOf(template, 'AWS::Lambda::Permission', z.object({ FunctionName: Reference }));
  const roleIds = new Set([...integrations.values()].map(({ CredentialsArn }) => CredentialsArn));
  const [roleId = ''] = roleIds;
  const role = resourcesOf(template, 'AWS::IAM::Role', Role).get(roleId);
  const unitIds = units.map((unit) => functionId(template, 'Units', unit));

  expect(roleIds.size).toBe(1);
  expect(role?.AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
  ]);
  const statements = role?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const [{ Resource }] = z.tuple([Invocations]).parse(statements);
  expect(Resource.toSorted()).toEqual(unitIds.toSorted());
  expect([...permitted.values()].filter(({ FunctionName }) => unitIds.includes(FunctionName))).toEqual([]);
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
