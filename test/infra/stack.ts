import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { SettingsInput } from '../../lib/settings.ts';
import { synthesise, type Template } from '../../lib/synthesise.ts';
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

const templates = new Map<string, Template>();

/**
 * The template for these settings, synthesised once. The bundles are placeholders, because the template does not depend on
 * their content.
 */
export const templateOf = (settings: SettingsInput): Template => {
  const key = JSON.stringify(settings);
  const template =
    templates.get(key) ??
    withBundles((folder) => synthesise(settings, join(folder, 'out'), join(folder, 'assets')));
  templates.set(key, template);
  return template;
};

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

/** Output names such as `TableLedger`, `QueueAccepted` and `KeySigning`, by logical id. */
export const labelsOf = (template: Template): Map<string, string> =>
  new Map(
    Object.entries(template.Outputs)
      .filter(([name]) => /^(?:Table|Queue|Bucket|StateMachine|Key|UserPool)/.test(name))
      .flatMap(([name, { Value }]) => referencesIn(Value).map((id) => [id, name] as const)),
  );

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The logical id of the function of a unit or a worker. */
export const functionId = (template: Template, kind: 'Units' | 'Workers', name: string): string => {
  const pattern = new RegExp(`^${kind}${pascal(name)}Function[0-9A-F]{8}$`);
  const id = Object.keys(template.Resources).find((candidate) => pattern.test(candidate));
  if (id === undefined) throw new Error(`No function for ${kind} ${name}`);
  return id;
};
