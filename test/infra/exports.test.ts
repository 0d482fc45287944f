import { expect, it } from 'vitest';
import * as z from 'zod';
import { buildDefinition } from '../../lib/exports/definition.ts';
import { type BucketShape, bucketNames, buckets } from '../../schemas/platform/buckets.ts';
import { functionId, idsIn, referencesIn, resourcesOf, templateOf } from './stack.ts';

const template = templateOf({});
const steps = ['exportControl', 'exportGather', 'exportWrite'].map((name) =>
  functionId(template, 'Workers', name),
);

const [machine] = resourcesOf(
  template,
  'AWS::StepFunctions::StateMachine',
  z.object({
    StateMachineType: z.literal('STANDARD'),
    RoleArn: z.unknown(),
    DefinitionString: z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) }),
  }),
).values();

it('runs the steps of an export in the three export functions', () => {
  const called = referencesIn(machine?.DefinitionString['Fn::Join'][1]);

  expect([...new Set(called)].sort()).toEqual(steps.toSorted());
});

it('allows the state machine only to invoke the export functions', () => {
  const [role = ''] = referencesIn(machine?.RoleArn);
  const { Policies } = z
    .object({
      Policies: z.tuple([
        z.object({
          PolicyDocument: z.object({
            Statement: z.tuple([z.object({ Action: z.string(), Resource: z.array(z.unknown()) })]),
          }),
        }),
      ]),
    })
    .parse(template.Resources[role]?.Properties);

  const [statement] = Policies[0].PolicyDocument.Statement;
  expect(statement.Action).toBe('lambda:InvokeFunction');
  expect(referencesIn(statement.Resource).sort()).toEqual(steps.toSorted());
});

const State = z.looseObject({
  Type: z.string(),
  Next: z.string().optional(),
  Retry: z.array(z.unknown()).optional(),
  Catch: z.array(z.object({ Next: z.string() })).optional(),
  ItemProcessor: z.object({ States: z.record(z.string(), z.looseObject({ Type: z.string() })) }).optional(),
});
const { States } = buildDefinition({ control: 'c', gather: 'g', write: 'w' }, 8);
const states = Object.entries(States).map(([name, state]) => [name, State.parse(state)] as const);

it('retries every task, and fails the export when the retries are exhausted', () => {
  const tasks = states.filter(([, { Type }]) => Type === 'Task' || Type === 'Map');

  for (const [name, { Type, Retry, Catch }] of tasks) {
    if (Type === 'Task') expect(Retry, name).toBeDefined();
    if (name !== 'Fail')
      expect(
        Catch?.map(({ Next }) => Next),
        name,
      ).toEqual(['Fail']);
  }
});

it('keeps deleted and replaced objects of the archive, and of no other bucket', () => {
  const versioned = bucketNames.filter((name) => {
    const [id = ''] = idsIn(template)(
      template.Outputs[`Bucket${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.Value,
    );
    const properties = template.Resources[id]?.Properties;
    return JSON.stringify(properties).includes('"VersioningConfiguration":{"Status":"Enabled"}');
  });

  expect(versioned).toEqual(['archive']);
  expect(JSON.stringify(template)).toContain('"NoncurrentVersionExpiration":{"NoncurrentDays":35}');
});

it.each(bucketNames)(
  'expires objects and incomplete uploads in bucket %s, and blocks public access',
  (name) => {
    const [id = ''] = idsIn(template)(
      template.Outputs[`Bucket${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.Value,
    );

    const { expiresAfterDays, expiringPrefixes = [''] }: BucketShape = buckets[name];

    expect(template.Resources[id]?.Properties).toMatchObject({
      LifecycleConfiguration: {
        Rules: expiringPrefixes.map((prefix) => ({
          ...(prefix !== '' && { Prefix: prefix }),
          ExpirationInDays: expiresAfterDays,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          Status: 'Enabled',
        })),
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  },
);
