import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deploymentNameOf, functionNameOf } from '../../lib/names.ts';
import { consoleRoutes, routes } from '../../schemas/routes/index.ts';
import { answeredKeysOf, units } from '../../schemas/routes/route.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';
import { apiBodyOf, functionId, Reference, resourcesOf, Text, templateOf } from './stack.ts';

/** The default quota of an API (L-65B5C802). */
const ROUTES_MAXIMUM = 300;
/** How long Lambda lets a function initialize before it counts that time as a run. */
const INITIALIZATION_SECONDS = 10;
const environments = ['production', 'sandbox', 'local'];

// With aliases a function is one step further away: test/infra/gradualDeployment.test.ts.
const template = templateOf({ gradualDeployment: false });
const { paths, components } = apiBodyOf(template);
const allRoutes = [...routes, ...consoleRoutes];
const INTEGRATIONS = 'x-amazon-apigateway-integrations';
const integrations = new Map(Object.entries(components[INTEGRATIONS]));
const ARN = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:`;

const functionNames = resourcesOf(
  template,
  'AWS::Lambda::Function',
  z.object({ FunctionName: Text.optional(), MemorySize: z.int() }),
);
const nameOf = (unit: (typeof units)[number]) =>
  functionNames.get(functionId(template, 'Units', unit))?.FunctionName;

const Invocations = z.strictObject({
  Action: z.literal('lambda:InvokeFunction'),
  Effect: z.literal('Allow'),
  Resource: z.array(Text),
});
const Role = z.object({
  AssumeRolePolicyDocument: z.object({ Statement: z.unknown() }),
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(z.unknown()) }) })).default([]),
});

/** The integration of each route key that the import of the document creates. */
const integrationByRoute = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (Array.isArray(operation)) return [];
      const key = operation['isDefaultRoute'] === true ? '$default' : `${method.toUpperCase()} ${path}`;
      const name = operation['x-amazon-apigateway-integration'].$ref.split('/').at(-1) ?? '';
      return [[key, integrations.get(name)] as const];
    }),
  ),
);

it('routes every route to its unit', async () => {
  const answered = allRoutes.flatMap((route) =>
    answeredKeysOf(route).map((key) => ({ key, unit: route.unit })),
  );
  await expectNoFaults(
    answered,
    ({ key }) => key,
    ({ key, unit }) =>
      unequal(
        'integration',
        integrationByRoute.get(key)?.uri,
        `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/${ARN}${nameOf(unit)}/invocations`,
      ),
  );
});

it('routes unmatched requests to the contract unit', () => {
  expect(integrationByRoute.get('$default')).toBe(integrations.get('contract'));
});

it('declares only the routes of the route table, within the quota of an API', () => {
  expect([...integrationByRoute.keys()].sort()).toEqual(
    [...allRoutes.flatMap(answeredKeysOf), '$default'].sort(),
  );
  expect(integrationByRoute.size).toBeLessThanOrEqual(ROUTES_MAXIMUM);
});

it('declares what the import would warn about when it is missing: responses and path parameters', () => {
  for (const [path, item] of Object.entries(paths)) {
    const { parameters = [], ...operations } = item;
    const names = [...path.matchAll(/\{(\w+\+?)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
    }));

    expect(parameters).toMatchObject(names);
    expect(parameters).toHaveLength(names.length);
    for (const operation of Object.values(operations)) expect(operation).toHaveProperty('responses.default');
  }
});

it('declares no two paths that differ only in the names of their parameters', () => {
  const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{\w+/g, '{'));

  expect(new Set(shapes).size).toBe(shapes.length);
});

it('waits as long as a function can take to start and run, and less than the 30 seconds of the gateway', () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function', z.object({ Timeout: z.number() }));
  for (const unit of units) {
    const { Timeout = Number.NaN } = functions.get(functionId(template, 'Units', unit)) ?? {};

    expect(integrations.get(unit)?.timeoutInMillis).toBe((INITIALIZATION_SECONDS + Timeout) * 1_000);
    expect(INITIALIZATION_SECONDS + Timeout).toBeLessThan(30);
  }
});

it('invokes the units by one role that allows nothing else, and no unit has another permission', () => {
  const permitted = resourcesOf(template, 'AWS::Lambda::Permission', z.object({ FunctionName: Reference }));
  const roleIds = new Set([...integrations.values()].map(({ credentials }) => credentials));
  const [, roleId = ''] = /^\$\{(\w+)\.Arn\}$/.exec([...roleIds].join()) ?? [];
  const role = resourcesOf(template, 'AWS::IAM::Role', Role).get(roleId);
  const unitIds = units.map((unit) => functionId(template, 'Units', unit));

  expect(role?.AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
  ]);
  const statements = role?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const [{ Resource }] = z.tuple([Invocations]).parse(statements);
  // The stage serves the previous routes until the end of a deployment that changes this setting.
  const invoked = [false, true].flatMap((gradualDeployment) =>
    Object.values(apiBodyOf(templateOf({ gradualDeployment })).components[INTEGRATIONS]).map(
      ({ uri }) => /functions\/(.*)\/invocations$/.exec(uri)?.[1] ?? '',
    ),
  );
  expect(Resource.toSorted()).toEqual([...new Set(invoked)].sort());
  expect([...permitted.values()].filter(({ FunctionName }) => unitIds.includes(FunctionName))).toEqual([]);
});

it('gives each unit a function name of its own in each environment, which Lambda accepts', () => {
  const names = environments.flatMap((environment) =>
    units.map((unit) => functionNameOf(deploymentNameOf(environment), 'api', unit)),
  );

  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(environments.length * units.length);
  for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
});

/** A batch of 5 MiB needed up to 260 MB when it was parsed. */
const MEMORY_OF_LARGE_BODIES_MB = 512;

it('gives the units that parse bodies of more than 1 MiB the memory for them', async () => {
  await expectNoFaults(units, String, (unit) => {
    const largest = Math.max(
      ...allRoutes.filter((route) => route.unit === unit).map(({ body }) => body?.maxBytes ?? 0),
    );
    const memory = functionNames.get(functionId(template, 'Units', unit))?.MemorySize ?? 0;
    return largest > 1_024 * 1_024 && memory < MEMORY_OF_LARGE_BODIES_MB ? [`${memory} MB`] : [];
  });
});

it('keeps the logical id of every unit, because its fixed name prevents a second function beside it', async () => {
  await expectNoFaults(units, String, (unit) => {
    const path = `Units/${unit.charAt(0).toUpperCase()}${unit.slice(1)}/Function`;
    const hash = createHash('md5').update(`${path}/Resource`).digest('hex').slice(0, 8).toUpperCase();
    return unequal('logical id', functionId(template, 'Units', unit), `${path.replaceAll('/', '')}${hash}`);
  });
});

describe('the stage', () => {
  const Stage = z.object({ DeploymentId: Reference, AutoDeploy: z.boolean().optional() });
  const deploymentOf = (given: typeof template): string => {
    const [stage] = resourcesOf(given, 'AWS::ApiGatewayV2::Stage', Stage).values();
    return stage?.DeploymentId ?? '';
  };

  it.each([false, true])(
    'serves the routes after all functions have changed (gradual: %s)',
    (gradualDeployment) => {
      const given = templateOf({ gradualDeployment });
      const after = z.array(z.string()).parse(given.Resources[deploymentOf(given)]?.['DependsOn']);
      const aliases = resourcesOf(given, 'AWS::Lambda::Alias', z.unknown()).keys();

      expect(after).toEqual(
        expect.arrayContaining([...units.map((unit) => functionId(given, 'Units', unit)), ...aliases]),
      );
    },
  );

  it('serves the new routes after each change of the document', () => {
    const changed = [
      { gradualDeployment: true },
      { gradualDeployment: false, corsOrigins: 'https://app.example.org' },
    ].map((settings) => deploymentOf(templateOf(settings)));

    expect(deploymentOf(template)).toMatch(/^ApiStageRoutes/);
    expect(new Set([deploymentOf(template), ...changed]).size).toBe(3);
  });
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
