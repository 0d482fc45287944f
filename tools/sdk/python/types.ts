import type { Schema } from '../api.ts';
import { isIdentifier, toPascalCase } from './names.ts';

/** Collects the type definitions of a Python module. Python 3.9: `Optional` and `Union` instead of `|`. */
export interface PythonTypes {
  /** The type expression of a schema. `name` is the name of its class, if it needs one of its own. */
  typeOf: (schema: Schema, name: string) => string;
  /** Adds a class with the given members and returns its name. */
  addClass: (name: string, members: readonly Member[], description?: string) => string;
  /** Adds an alias for any other type. */
  addAlias: (name: string, expression: string) => void;
  /** The definitions, in order of use. */
  definitions: () => readonly string[];
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly description?: string | undefined;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** In single quotes, because the functional form of a class has its types in double quotes. */
const quote = (value: unknown): string =>
  `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const toLiteral = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : quote(value);
};

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  const others = distinct.filter((type) => type !== 'None');
  const [only = 'None'] = others;
  const joined = others.length > 1 ? `Union[${others.join(', ')}]` : only;
  return others.length < distinct.length && others.length > 0 ? `Optional[${joined}]` : joined;
};

/** A docstring. A backslash or three quotes would end or change it. */
const docstring = (text: string | undefined): string[] =>
  text === undefined ? [] : [`    """${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`];

const memberLines = ({ name, type, description }: Member): string[] => [
  ...(description === undefined ? [] : [`    # ${description.replaceAll('\n', ' ')}`]),
  `    ${name}: ${type}`,
];

/** `Required` needs Python 3.11. Required members are in a base class instead, optional ones in a child of it. */
const classLines = (name: string, members: readonly Member[], description?: string): string[] => {
  const [required, optional] = [
    members.filter((one) => one.required),
    members.filter((one) => !one.required),
  ];
  const text = docstring(description);
  const isSplit = required.length > 0 && optional.length > 0;
  if (!members.every((member) => isIdentifier(member.name))) {
    const entries = (some: readonly Member[]) =>
      some.map(
        (member) => `    ${JSON.stringify(member.name)}: ${JSON.stringify(member.type.replaceAll('"', ''))},`,
      );
    const functional = (own: string, some: readonly Member[], total: boolean) => [
      `${own} = TypedDict("${own}", {`,
      ...entries(some),
      total ? '})' : '}, total=False)',
    ];
    if (!isSplit) return functional(name, members, optional.length === 0);
    return [
      ...functional(`_${name}Required`, required, true),
      ...functional(`_${name}Optional`, optional, false),
      '',
      '',
      `class ${name}(_${name}Required, _${name}Optional):`,
      ...(text.length > 0 ? text : ['    pass']),
    ];
  }
  const bodyOf = (some: readonly Member[]) => some.flatMap(memberLines);
  if (!isSplit) {
    const total = optional.length > 0 ? ', total=False' : '';
    const body = [...text, ...bodyOf(members)];
    return [`class ${name}(TypedDict${total}):`, ...(body.length > 0 ? body : ['    pass'])];
  }
  return [
    `class _${name}Required(TypedDict):`,
    ...bodyOf(required),
    '',
    '',
    `class ${name}(_${name}Required, total=False):`,
    ...text,
    ...bodyOf(optional),
  ];
};

/** Begins an empty collection of types. `reserved` are the names of schemas in the document. */
export const pythonTypes = (reserved: readonly string[]): PythonTypes => {
  const definitions: string[] = [];

  const addClass = (name: string, members: readonly Member[], description?: string): string => {
    definitions.push(classLines(name, members, description).join('\n'));
    return name;
  };

  /** The name of a class inside `parent`. The names of the document keep their meaning. */
  const nestedName = (parent: string, member: string): string => {
    const name = parent + toPascalCase(member);
    return reserved.includes(name) ? `${name}Value` : name;
  };

  const objectType = (schema: Schema, name: string): string => {
    const { properties = {}, required = [], additionalProperties } = schema;
    if (Object.keys(properties).length === 0) {
      const values =
        typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${name}Value`) : 'Any';
      return `Dict[str, ${values}]`;
    }
    const members = Object.entries(properties).map(([member, value]) => ({
      name: member,
      required: required.includes(member),
      type: typeOf(value, nestedName(name, member)),
      description: value.description,
    }));
    return addClass(name, members, schema.description);
  };

  const typeOf = (schema: Schema, name: string): string => {
    if (schema.$ref !== undefined) return `"${schema.$ref.replace('#/components/schemas/', '')}"`;
    if (schema.const !== undefined) return `Literal[${toLiteral(schema.const)}]`;
    if (schema.enum !== undefined) return union([literalOf(schema.enum), ...nullOf(schema.enum)]);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      return union(choices.map((choice, index) => typeOf(choice, `${name}${index + 1}`)));
    }
    const [all, ...others] = schema.allOf ?? [];
    if (all !== undefined && others.length === 0) return typeOf(all, name);
    if (Array.isArray(schema.type)) {
      return union(schema.type.map((type) => typeOf({ ...schema, type }, name)));
    }
    if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (schema.type === 'object' || schema.properties !== undefined) return objectType(schema, name);
    return PRIMITIVES[schema.type ?? ''] ?? 'Any';
  };
  const literalOf = (values: readonly unknown[]): string => {
    const named = values.filter((value) => value !== null);
    return named.length === 0 ? 'None' : `Literal[${named.map(toLiteral).join(', ')}]`;
  };
  const nullOf = (values: readonly unknown[]): string[] => (values.includes(null) ? ['None'] : []);

  return {
    typeOf,
    addClass,
    addAlias: (name, expression) => {
      if (expression !== name) definitions.push(`${name} = ${expression}`);
    },
    definitions: () => definitions,
  };
};
