import { expect, it } from 'vitest';
import type { Template } from '../../../lib/synthesise.ts';
import { acceptedTypes } from '../../../tools/deploy/emulator/acceptedTypes.ts';
import { requireEndpoint } from '../../../tools/deploy/emulator/emulatorTrial.ts';
import { reduceTemplate, referencedTypesOf } from '../../../tools/deploy/emulator/reduceTemplate.ts';

const ROLE = 'AWS::IAM::Role';
const FUNCTION = 'AWS::Lambda::Function';
const MAPPING = 'AWS::Lambda::EventSourceMapping';
const POOL = 'AWS::Cognito::UserPool';

const template: Template = {
  Resources: {
    Role: { Type: ROLE, Properties: { Region: { Ref: 'AWS::Region' } } },
    Function: {
      Type: FUNCTION,
      Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] }, Code: { S3Bucket: 'assets', S3Key: 'key' } },
      DependsOn: ['Role', 'Pool'],
    },
    Mapping: { Type: MAPPING, Properties: { FunctionName: { Ref: 'Function' } } },
    Pool: { Type: POOL, Properties: {} },
  },
  Parameters: { ValueKey: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/name/key' } },
  Outputs: {
    BaseUrl: { Value: { 'Fn::Join': ['', ['https://', { Ref: 'Mapping' }]] } },
    UserPoolId: { Value: { Ref: 'Pool' } },
  },
};

it('replaces references to omitted resources, and keeps all others', () => {
  const reduced = reduceTemplate(template, new Set([ROLE, FUNCTION]));

  expect(Object.keys(reduced.Resources)).toEqual(['Role', 'Function']);
  expect(reduced.Resources['Role']?.Properties).toEqual({ Region: { Ref: 'AWS::Region' } });
  expect(reduced.Resources['Function']).toMatchObject({
    Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] }, Code: { ZipFile: expect.any(String) } },
    DependsOn: ['Role'],
  });
  expect(reduced.Outputs).toEqual({
    BaseUrl: { Value: { 'Fn::Join': ['', ['https://', 'omitted-mapping']] } },
  });
});

it('reads values of other stacks only if these stand in the emulator', () => {
  const reading: Template = {
    ...template,
    Resources: { Role: { Type: ROLE, Properties: { Key: { Ref: 'ValueKey' } } } },
    Outputs: {},
  };
  const types = new Set([ROLE, 'AWS::SSM::Parameter']);

  expect(reduceTemplate(reading, types)).toMatchObject({
    Resources: { Role: { Properties: { Key: 'omitted-valuekey' } } },
    Parameters: {},
  });
  expect(reduceTemplate(reading, types, 'present')).toMatchObject({
    Resources: { Role: { Properties: { Key: { Ref: 'ValueKey' } } } },
    Parameters: template.Parameters,
  });
});

it('names the user pool to operator commands only if it exists', () => {
  expect(reduceTemplate(template, new Set([POOL])).Outputs).toHaveProperty('UserPoolId');
});

it('accepts a type that needs others to exist, and gives the reason for each refused one', async () => {
  const needed = new Map([
    [FUNCTION, ROLE],
    [MAPPING, FUNCTION],
  ]);
  const refusal = async (types: ReadonlySet<string>) => {
    if (types.has(POOL)) return 'unsupported';
    const missing = [...types].map((type) => needed.get(type)).find((type) => type && !types.has(type));
    return missing === undefined || types.size > 1 ? null : `needs ${missing}`;
  };

  const { accepted, refused } = await acceptedTypes(referencedTypesOf(template), refusal);

  expect([...accepted].sort()).toEqual([ROLE, MAPPING, FUNCTION].sort());
  expect([...refused]).toEqual([[POOL, 'unsupported']]);
});

it.each([{}, { AWS_ENDPOINT_URL: 'https://cloudformation.us-east-1.amazonaws.com' }])(
  'refuses to run against a real account, with %j',
  (variables) => {
    expect(() => requireEndpoint(variables)).toThrow('AWS emulator');
  },
);
