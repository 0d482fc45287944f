import * as z from 'zod';
import type { Template } from '../../../lib/synthesise.ts';

const Reference = z.strictObject({ Ref: z.string() });
const Attribute = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const Names = z.union([z.array(z.string()), z.string().transform((name) => [name])]);

/** The version of the CDK bootstrap, which an emulator does not have. */
const BOOTSTRAP_VERSION = 'BootstrapVersion';

/** Emulators do not run the functions, so the template needs no uploaded bundles. */
const INLINE_CODE = { ZipFile: 'exports.handler = async () => ({});' };

/** What stands for a resource that is left out. Tables and queues refuse upper-case letters and colons in some names. */
const placeholderOf = (id: string, attribute?: string): string =>
  attribute === 'Arn' ? `arn:aws:omitted:us-east-1:000000000000:${id}` : `omitted-${id.toLowerCase()}`;

/** Ids that a value references. */
const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const reference = Reference.safeParse(value);
  if (reference.success) return [reference.data.Ref];
  const attribute = Attribute.safeParse(value);
  if (attribute.success) return [attribute.data['Fn::GetAtt'][0]];
  return Object.values(value).flatMap(referencesIn);
};

/** The types of the resources of a template, each with the types that its resources reference. */
export const referencedTypesOf = ({ Resources }: Template): Map<string, Set<string>> => {
  const types = new Map<string, Set<string>>();
  for (const { Type, Properties } of Object.values(Resources)) {
    const referenced = types.get(Type) ?? new Set();
    for (const id of referencesIn(Properties)) {
      const type = Resources[id]?.Type;
      if (type !== undefined && type !== Type) referenced.add(type);
    }
    types.set(Type, referenced);
  }
  return types;
};

/** The type of the resource that stores a value for the other stacks. */
const STORED_VALUE = 'AWS::SSM::Parameter';
const NAMES_STORED_VALUE = `${STORED_VALUE}::Value<String>`;

/** The properties of a resource as an emulator takes them. */
const adapted = (type: string, properties: Record<string, unknown>): Record<string, unknown> => {
  if (type === 'AWS::Lambda::Function') return { ...properties, Code: INLINE_CODE };
  if (type !== STORED_VALUE) return properties;
  // moto 5.2.1 expects the list of tags that other types have. CloudFormation takes a map here.
  const { Tags: _, ...untagged } = properties;
  return untagged;
};

/**
 * A template with the resources of some types only. References to the others become placeholders, so that the rest can be
 * created without them. So do values of other stacks, unless these stand in the emulator. Conditions on the bootstrap of the
 * CDK are left out.
 */
export const reduceTemplate = (
  template: Template,
  types: ReadonlySet<string>,
  otherStacks: 'present' | 'absent' = 'absent',
): Template => {
  const isRead = otherStacks === 'present' && types.has(STORED_VALUE);
  const isKept = (id: string): boolean => {
    const resource = template.Resources[id];
    if (resource !== undefined) return types.has(resource.Type);
    return id.startsWith('AWS::') || (isRead && id in template.Parameters);
  };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const reference = Reference.safeParse(value);
    if (reference.success) return isKept(reference.data.Ref) ? value : placeholderOf(reference.data.Ref);
    const attribute = Attribute.safeParse(value);
    if (attribute.success) {
      const [id, name] = attribute.data['Fn::GetAtt'];
      return isKept(id) ? value : placeholderOf(id, name);
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part)]));
  };
  const resources = Object.entries(template.Resources)
    .filter(([id]) => isKept(id))
    .map(([id, { DependsOn = [], ...resource }]) => [
      id,
      {
        ...z.looseObject({}).parse(replace(resource)),
        DependsOn: Names.parse(DependsOn).filter(isKept),
        Properties: adapted(resource.Type, z.looseObject({}).parse(replace(resource.Properties))),
      },
    ]);
  // Operator commands skip the user pool if the stack has none.
  const { UserPoolId, ...others } = template.Outputs;
  const outputs =
    UserPoolId === undefined || !types.has('AWS::Cognito::UserPool') ? others : { ...others, UserPoolId };
  const parameters = Object.entries(template.Parameters).filter(
    ([id, { Type }]) => isKept(id) && Type === NAMES_STORED_VALUE && id !== BOOTSTRAP_VERSION,
  );
  return z.custom<Template>().parse({
    Resources: Object.fromEntries(resources),
    Parameters: Object.fromEntries(parameters),
    Outputs: replace(outputs),
  });
};
