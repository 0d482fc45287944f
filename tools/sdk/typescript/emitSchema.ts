type Json = Readonly<Record<string, unknown>>;

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const nameOf = (ref: unknown): string => String(ref).replace(/^.*\//, '');
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const documented = (description: unknown): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : '';

const objectOf = (schema: Json): string => {
  const required = asList(schema['required']);
  const members = Object.entries<Json>(Object(schema['properties'])).map(
    ([name, member]) =>
      `${documented(member['description'])}readonly ${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`,
  );
  const { additionalProperties: others } = schema;
  if (members.length > 0) return `{\n${members.join('\n')}\n}`;
  return typeof others === 'object'
    ? `Readonly<Record<string, ${typeOf(Object(others))}>>`
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
export const typeOf = (schema: Json): string => {
  if (schema['$ref'] !== undefined) return nameOf(schema['$ref']);
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = [...asList(schema['anyOf']), ...asList(schema['oneOf'])];
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((one) => typeOf(Object(one))))].join(' | ');
  const parts = asList(schema['allOf']);
  if (parts.length > 0) return parts.map((one) => `(${typeOf(Object(one))})`).join(' & ');
  return (
    [schema['type']]
      .flat()
      .map((type) => {
        if (type === 'object') return objectOf(schema);
        if (type === 'array') return `readonly (${typeOf(Object(schema['items']))})[]`;
        return named[String(type)] ?? 'unknown';
      })
      .join(' | ') || 'unknown'
  );
};

/** The declaration of a component. */
export const declarationOf = (name: string, schema: Json): string =>
  `${documented(schema['description'])}export type ${name} = ${typeOf(schema)};\n`;
