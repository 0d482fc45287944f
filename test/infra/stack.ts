import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { SettingsInput } from '../../lib/settings.ts';
import { joinTemplates, synthesise, type Template, type Templates } from '../../lib/synthesise.ts';
import { workerNames } from '../../schemas/platform/workers.ts';
import { units } from '../../schemas/routes/route.ts';

// The validation of the CDK takes seconds. `npm run synth` and `securityChecks.test.ts` run it, together with cdk-nag.
process.env['CDK_VALIDATION'] = 'false';

/** Runs `use` with a folder in which `assets` has a placeholder for each bundle, and deletes the folder afterwards. */
export const withBundles = <Result>(use: (folder: string) => Result): Result => {
  const folder = mkdtempSync(join(tmpdir(), 'infra-'));
  try {
    for (const bundle of [...units, ...workerNames.map((name) => `${name}.worker`)]) {
      mkdirSync(join(folder, 'assets', bundle), { recursive: true });
      writeFileSync(join(folder, 'assets', bundle, 'index.mjs'), `// ${bundle}`);
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const synthesised = new Map<string, { readonly stacks: Templates; readonly joined: Template }>();

/**
 * The templates for these settings, synthesised once. The bundles are placeholders, because templates do not depend on
 * their content.
 */
const synthesisedFor = (settings: SettingsInput) => {
  const key = JSON.stringify(settings);
  const known = synthesised.get(key);
  if (known !== undefined) return known;
  const stacks = withBundles((folder) => synthesise(settings, join(folder, 'out'), join(folder, 'assets')));
  const made = { stacks, joined: joinTemplates(stacks) };
  synthesised.set(key, made);
  return made;
};

/** The template of each stack. */
export const templatesOf = (settings: SettingsInput): Templates => synthesisedFor(settings).stacks;

/** One template with the content of all stacks. */
export const templateOf = (settings: SettingsInput): Template => synthesisedFor(settings).joined;

/** The properties of every resource of a type, by logical id. */
export const resourcesOf = <Shape extends z.ZodType>(
  template: Template,
  type: string,
  shape: Shape,
): Map<string, z.infer<Shape>> =>
  new Map(
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, resource]) => [id, shape.parse(resource.Properties)]),
  );

export const Reference = z.union([
  z.object({ Ref: z.string() }).transform((value) => value.Ref),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((value) => value['Fn::GetAtt'][0]),
]);

/** The logical ids that a value references, such as the keys of a schedule. */
export const referencesIn = (value: unknown): string[] => {
  const reference = Reference.safeParse(value);
  if (reference.success) return [reference.data];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
};

const Joined = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) });
const Attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });

/** A text of the template, with its references as in `Fn::Sub`: `${AWS::StackName}-access`. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const joined = Joined.safeParse(value);
  if (joined.success) return joined.data['Fn::Join'][1].map(textOf).join('');
  const attribute = Attribute.safeParse(value);
  if (attribute.success) return `\${${attribute.data['Fn::GetAtt'].join('.')}}`;
  return `\${${Reference.parse(value)}}`;
};

/** A text, as by {@link textOf}. */
export const Text = z.unknown().transform(textOf);

const Integration = z.strictObject({
  type: z.literal('aws_proxy'),
  httpMethod: z.literal('POST'),
  uri: Text,
  credentials: Text,
  payloadFormatVersion: z.literal('2.0'),
  timeoutInMillis: z.number(),
});
const Operation = z.looseObject({ 'x-amazon-apigateway-integration': z.strictObject({ $ref: z.string() }) });
const Body = z.looseObject({
  servers: z.array(z.unknown()).optional(),
  'x-amazon-apigateway-cors': z
    .object({ allowOrigins: z.array(z.string()), allowCredentials: z.boolean().optional() })
    .optional(),
  paths: z.record(z.string(), z.record(z.string(), z.union([Operation, z.array(z.unknown())]))),
  components: z.object({ 'x-amazon-apigateway-integrations': z.record(z.string(), Integration) }),
});

/** The OpenAPI document that API Gateway imports. */
export const apiBodyOf = (template: Template): z.infer<typeof Body> => {
  const [api] = resourcesOf(template, 'AWS::ApiGatewayV2::Api', z.object({ Body })).values();
  if (api === undefined) throw new Error('No API');
  return api.Body;
};

const StoredValue = z.object({ Name: z.string(), Value: z.unknown() });

/**
 * A text of the template, as by {@link textOf}. A value that another stack published is the text of that value:
 * `${TablesLedger01234567.StreamArn}`.
 */
export const addressIn = (template: Template): ((value: unknown) => string) => {
  const stored = new Map(
    [...resourcesOf(template, 'AWS::SSM::Parameter', StoredValue).values()].map(({ Name, Value }) => [
      Name,
      textOf(Value),
    ]),
  );
  return (value) =>
    textOf(value).replaceAll(/\$\{(\w+)\}/g, (whole, id: string) => {
      const parameter = template.Parameters[id];
      return parameter === undefined ? whole : (stored.get(String(parameter.Default)) ?? whole);
    });
};

const ARN = `arn:\${AWS::Partition}:`;
const HERE = `:\${AWS::Region}:\${AWS::AccountId}:`;
/** The property with the fixed name of a type, and the addresses by which other stacks know a resource with that name. */
const FIXED_NAMES: Readonly<
  Record<string, readonly [property: string, addresses: (name: string) => string[]]>
> = {
  'AWS::DynamoDB::Table': ['TableName', (name) => [name, `${ARN}dynamodb${HERE}table/${name}`]],
  'AWS::SQS::Queue': [
    'QueueName',
    (name) => [
      `${ARN}sqs${HERE}${name}`,
      `https://sqs.\${AWS::Region}.\${AWS::URLSuffix}/\${AWS::AccountId}/${name}`,
    ],
  ],
  'AWS::StepFunctions::StateMachine': [
    'StateMachineName',
    (name) => [`${ARN}states${HERE}stateMachine:${name}`, `${ARN}states${HERE}execution:${name}:*`],
  ],
  'AWS::Lambda::Function': [
    'FunctionName',
    (name) => [`${ARN}lambda${HERE}function:${name}`, `${ARN}lambda${HERE}function:${name}:live`],
  ],
  'AWS::IAM::Role': ['RoleName', (name) => [`${ARN}iam::\${AWS::AccountId}:role/${name}`]],
  'AWS::SNS::Topic': ['TopicName', (name) => [`${ARN}sns${HERE}${name}`]],
  'AWS::Events::Rule': ['Name', (name) => [`${ARN}events${HERE}rule/${name}`]],
  'AWS::Logs::LogGroup': ['LogGroupName', (name) => [name, `${ARN}logs${HERE}log-group:${name}:*`]],
};

/** The logical id of the resource that a value names: by a reference, by a value of its stack, or by its fixed name. */
export const idIn = (template: Template): ((value: unknown) => string | undefined) => {
  const addressOf = addressIn(template);
  const byAddress = new Map(
    Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
      const [property, addresses] = FIXED_NAMES[Type] ?? [];
      const name = property === undefined ? undefined : Properties[property];
      return name === undefined
        ? []
        : (addresses?.(textOf(name)) ?? []).map((address) => [address, id] as const);
    }),
  );
  return (value) => {
    const address = addressOf(value);
    const [, referenced = ''] =
      /^\$\{(\w+)(?:\.\w+)?\}$/.exec(address) ??
      // Resources with names that AWS chose.
      /^arn:\$\{AWS::Partition\}:(?:s3:::|cognito-idp:.*:userpool\/)\$\{(\w+)\}(?:\/\*)?$/.exec(address) ??
      [];
    return byAddress.get(address) ?? (referenced in template.Resources ? referenced : undefined);
  };
};

/** The logical ids of the resources that a value, or a part of it, names. */
export const idsIn =
  (template: Template) =>
  (value: unknown): string[] => {
    const named = idIn(template);
    const idsOf = (part: unknown): string[] => {
      if (typeof part === 'string') return [named(part) ?? []].flat();
      if (typeof part !== 'object' || part === null) return [];
      const isText = Joined.safeParse(part).success || Reference.safeParse(part).success;
      const id = isText ? named(part) : undefined;
      return id === undefined ? Object.values(part).flatMap(idsOf) : [id];
    };
    return idsOf(value);
  };

/** Output names such as `TableLedger`, `QueueAccepted` and `KeySigning`, by logical id. */
export const labelsOf = (template: Template): Map<string, string> => {
  const idsOf = idsIn(template);
  return new Map(
    Object.entries(template.Outputs)
      .filter(([name]) => /^(?:Table|Queue|Bucket|StateMachine|Key|UserPool)/.test(name))
      .flatMap(([name, { Value }]) => idsOf(Value).map((id) => [id, name] as const)),
  );
};

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The logical id of the function of a unit or a worker. */
export const functionId = (template: Template, kind: 'Units' | 'Workers', name: string): string => {
  const pattern = new RegExp(`^${kind}${pascal(name)}Function[0-9A-F]{8}$`);
  const id = Object.keys(template.Resources).find((candidate) => pattern.test(candidate));
  if (id === undefined) throw new Error(`No function for ${kind} ${name}`);
  return id;
};
