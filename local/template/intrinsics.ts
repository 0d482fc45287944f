import * as z from 'zod';
import { TemplateError } from './template.ts';

/** Resolves `Ref`, `Fn::GetAtt` and `Fn::FindInMap`. The methods throw a TemplateError for an unknown name. */
export interface ReferenceResolver {
  ref(logicalId: string): unknown;
  attribute(logicalId: string, name: string): string;
  mapping(map: string, key: string, name: string): unknown;
  /** The address in the engines of a resource that a text names by its address on AWS. Other texts are unchanged. */
  located(text: string): string;
}

interface Substitution {
  text: string;
  variables: Record<string, unknown>;
}

const Arguments = z.array(z.unknown());
const MappingKeys = z.tuple([z.string(), z.string(), z.string()]);
const JoinArguments = z.tuple([z.string(), z.unknown()]);
const SubArguments = z.union([
  z.string().transform((text): Substitution => ({ text, variables: {} })),
  z
    .tuple([z.string(), z.record(z.string(), z.unknown())])
    .transform(([text, variables]): Substitution => ({ text, variables })),
]);
const GetAttArguments = z.union([
  z.tuple([z.string(), z.string()]),
  z.string().transform((path) => splitAtFirstDot(path)),
]);

function splitAtFirstDot(path: string): [string, string] {
  const dot = path.indexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}

/**
 * Replaces every intrinsic in a template value by its result. `AWS::NoValue` removes its property.
 * Throws a TemplateError for an unsupported intrinsic.
 */
export function resolveIntrinsics(value: unknown, scope: ReferenceResolver): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => resolveIntrinsics(item, scope)).filter((item) => item !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first && isIntrinsic(first[0]))
    return evaluateIntrinsic(first[0], first[1], scope);
  return Object.fromEntries(
    entries
      .map(([key, item]) => [key, resolveIntrinsics(item, scope)])
      .filter(([, item]) => item !== undefined),
  );
}

const isIntrinsic = (key: string): boolean => key === 'Ref' || key.startsWith('Fn::');

function evaluateIntrinsic(name: string, argument: unknown, scope: ReferenceResolver): unknown {
  switch (name) {
    case 'Ref':
      return scope.ref(z.string().parse(argument));
    case 'Fn::GetAtt':
      return scope.attribute(...GetAttArguments.parse(argument));
    case 'Fn::Join': {
      const [separator, parts] = JoinArguments.parse(argument);
      return scope.located(strings(resolveIntrinsics(parts, scope)).join(separator));
    }
    case 'Fn::Split': {
      const [separator, text] = JoinArguments.parse(argument);
      return z.string().parse(resolveIntrinsics(text, scope)).split(separator);
    }
    case 'Fn::Select': {
      const [index, list] = Arguments.parse(argument);
      return Arguments.parse(resolveIntrinsics(list, scope))[z.coerce.number().parse(index)];
    }
    case 'Fn::FindInMap':
      return scope.mapping(...MappingKeys.parse(resolveIntrinsics(argument, scope)));
    case 'Fn::Sub':
      return substitute(argument, scope);
    default:
      throw new TemplateError(`${name} is not supported by the local runtime`);
  }
}

const strings = (value: unknown): string[] => z.array(z.coerce.string()).parse(value);

function substitute(argument: unknown, scope: ReferenceResolver): string {
  const { text, variables } = SubArguments.parse(argument);
  const result = text.replace(/\$\{(!?)([^}]+)\}/g, (whole, escaped: string, name: string) => {
    // ${!Literal} is the CloudFormation escape for ${Literal}.
    if (escaped) return whole.replace('!', '');
    if (name in variables) return z.coerce.string().parse(resolveIntrinsics(variables[name], scope));
    if (name.startsWith('AWS::') || !name.includes('.')) return z.coerce.string().parse(scope.ref(name));
    return scope.attribute(...splitAtFirstDot(name));
  });
  return scope.located(result);
}
