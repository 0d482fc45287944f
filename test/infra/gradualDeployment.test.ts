import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { units } from '../../schemas/routes/route.ts';
import {
  apiBodyOf,
  functionId,
  labelsOf,
  Reference,
  referencesIn,
  resourcesOf,
  templateOf,
} from './stack.ts';

const template = templateOf({});
const { Resources } = template;

const aliases = resourcesOf(
  template,
  'AWS::Lambda::Alias',
  z.object({ FunctionName: Reference, FunctionVersion: Reference, Name: z.literal('live') }),
);
const versions = resourcesOf(template, 'AWS::Lambda::Version', z.object({ FunctionName: Reference }));
const groups = resourcesOf(
  template,
  'AWS::CodeDeploy::DeploymentGroup',
  z.looseObject({
    AlarmConfiguration: z.object({
      Enabled: z.literal(true),
      Alarms: z.array(z.object({ Name: Reference })),
    }),
    AutoRollbackConfiguration: z.object({ Enabled: z.literal(true), Events: z.array(z.string()) }),
    DeploymentConfigName: z.string(),
  }),
);
const unitIds = units.map((unit) => functionId(template, 'Units', unit));

const dependenciesOf = (id: string): string[] =>
  z.array(z.string()).parse((Resources[id] as { DependsOn?: unknown } | undefined)?.DependsOn ?? []);

describe('a deployment to production', () => {
  it('sends the requests of every unit to an alias of its current version', () => {
    const integrations = apiBodyOf(template).components['x-amazon-apigateway-integrations'];
    const called = Object.entries(integrations).map(([unit, { uri }]) => [
      unit,
      /:live\/invocations$/.test(uri),
    ]);

    expect(called).toEqual(units.map((unit) => [unit, true]));
    expect([...aliases.values()].map(({ FunctionName }) => FunctionName).sort()).toEqual(unitIds.sort());
    for (const { FunctionName, FunctionVersion } of aliases.values()) {
      expect(versions.get(FunctionVersion)?.FunctionName).toBe(FunctionName);
    }
  });

  it('moves each alias by a canary that the alarm on failed requests rolls back', () => {
    const updated = [...aliases.keys()].map((id) => {
      const { UpdatePolicy } = Resources[id] as { UpdatePolicy?: unknown };
      return referencesIn(UpdatePolicy).find((reference) => groups.has(reference));
    });

    expect(updated.sort()).toEqual([...groups.keys()].sort());
    for (const { AlarmConfiguration, AutoRollbackConfiguration, DeploymentConfigName } of groups.values()) {
      expect(DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent10Minutes');
      expect(AlarmConfiguration.Alarms.map(({ Name }) => Name)).toEqual([
        expect.stringMatching(/^ApiFailing/),
      ]);
      expect(AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
  });

  it('has no circle of dependencies', () => {
    const open = new Set<string>();
    const done = new Set<string>();
    const visit = (id: string): void => {
      if (done.has(id) || Resources[id] === undefined) return;
      expect(open, `${[...open].join(' > ')} > ${id}`).not.toContain(id);
      open.add(id);
      for (const next of [...dependenciesOf(id), ...referencesIn(Resources[id])]) visit(next);
      open.delete(id);
      done.add(id);
    };
    for (const id of Object.keys(Resources)) visit(id);
  });

  it('changes no logical id of a resource that holds data', () => {
    expect(labelsOf(template)).toEqual(labelsOf(templateOf({ gradualDeployment: false })));
  });
});

it.each([
  ['a sandbox', { environment: 'sandbox' as const }],
  ['production that switches it off', { gradualDeployment: false }],
  [
    'one machine, also when a setting asks for it',
    { environment: 'local' as const, gradualDeployment: true },
  ],
])('changes all functions at once in %s', (_, settings) => {
  const types = Object.values(templateOf(settings).Resources).map(({ Type }) => Type);

  expect(types.filter((type) => /CodeDeploy|Lambda::(?:Alias|Version)/.test(type))).toEqual([]);
});
