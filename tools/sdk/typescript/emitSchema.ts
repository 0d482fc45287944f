import type { Schema } from '../api.ts';

const nameOf = (ref: string): string => ref.replace(/^.*\//, '');
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const documented = ({ description }: Schema): string =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')} */\n`;

const objectOf = ({ properties = {}, required = [], additionalProperties: others }: Schema): string => {
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${documented(member)}readonly ${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`,
  );
  if (members.length > 0) return `{\n${members.join('\n')}\n}`;
  return typeof others === 'object'
    ? `Readonly<Record<string, ${typeOf(others)}>>`
    : 'Readonly<Record<string, unknown>>';
};

const named: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a JSON schema. */
export const typeOf = (schema: Schema): string => {
  const { $ref, anyOf = [], oneOf = [], allOf = [], items = {}, type = [] } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = [...anyOf, ...oneOf];
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' | ');
  if (allOf.length > 0) return allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  return (
    [type]
      .flat()
      .map((one) => {
        if (one === 'object') return objectOf(schema);
        if (one === 'array') return `readonly (${typeOf(items)})[]`;
        return named[one] ?? 'unknown';
      })
      .join(' | ') || 'unknown'
  );
};

/** The declaration of a component. */
export const declarationOf = (name: string, schema: Schema): string =>
  `${documented(schema)}export type ${name} = ${typeOf(schema)};\n`;
