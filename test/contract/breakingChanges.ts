type Json = Readonly<Record<string, unknown>>;
/** `out`: the service sends it, so a change must not take anything away. `in`: it accepts it, so a change must not ask for more. */
type Direction = 'in' | 'out';

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const typesOf = (schema: Json): unknown[] => ('type' in schema ? [schema['type']].flat() : []);
const valuesOf = (schema: Json): unknown[] =>
  'const' in schema ? [schema['const']] : [...asList(schema['enum'])];

/** Follows `$ref`s inside one document. */
const resolverOf =
  (document: Json) =>
  (value: unknown): Json => {
    let node = asObject(value);
    while (typeof node['$ref'] === 'string') {
      const names = node['$ref'].split('/').slice(1);
      node = asObject(
        names.reduce<unknown>(
          (inside, name) => asObject(inside)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
          document,
        ),
      );
    }
    return node;
  };

/**
 * The changes from one OpenAPI document to the next that can break a client of the same major version: removed
 * operations, parameters, statuses, media types, headers, members, alternatives and enum values; changed types; members
 * that were always sent and no longer are; and new required input.
 */
export const breakingChanges = (base: Json, next: Json): string[] => {
  const [fromBase, fromNext] = [resolverOf(base), resolverOf(next)];
  const found: string[] = [];
  const compared = new Set<string>();

  const compareSchema = (one: unknown, other: unknown, at: string, direction: Direction): void => {
    const [refOne, refOther] = [asObject(one)['$ref'], asObject(other)['$ref']];
    if (typeof refOne === 'string') {
      const pair = `${direction} ${refOne} ${String(refOther)}`;
      if (compared.has(pair)) return;
      compared.add(pair);
    }
    const [before, after] = [fromBase(one), fromNext(other)];
    const [typesBefore, typesAfter] = [typesOf(before), typesOf(after)];
    const [narrow, wide] = direction === 'out' ? [typesAfter, typesBefore] : [typesBefore, typesAfter];
    if (
      wide.length > 0 &&
      narrow.some((type) => !wide.includes(type) && !(type === 'integer' && wide.includes('number')))
    ) {
      found.push(`${at}: type changed from ${typesBefore} to ${typesAfter}`);
    }
    const valuesAfter = valuesOf(after);
    for (const value of valuesOf(before)) {
      if (valuesAfter.length > 0 && !valuesAfter.includes(value))
        found.push(`${at}: ${value} removed from the enum`);
    }
    if (direction === 'in' && valuesOf(before).length === 0 && valuesAfter.length > 0)
      found.push(`${at}: became an enum`);
    const [requiredBefore, requiredAfter] = [asList(before['required']), asList(after['required'])];
    const propertiesAfter = asObject(after['properties']);
    for (const [name, member] of Object.entries(asObject(before['properties']))) {
      if (!(name in propertiesAfter)) found.push(`${at}.${name}: removed`);
      else compareSchema(member, propertiesAfter[name], `${at}.${name}`, direction);
    }
    if (direction === 'in') {
      for (const name of requiredAfter)
        if (!requiredBefore.includes(name)) found.push(`${at}.${name}: became required`);
    } else {
      for (const name of requiredBefore)
        if (!requiredAfter.includes(name)) found.push(`${at}.${name}: is no longer always sent`);
    }
    for (const keyword of ['items', 'additionalProperties'] as const) {
      if (typeof before[keyword] === 'object')
        compareSchema(before[keyword], after[keyword], `${at}.${keyword}`, direction);
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const alternatives = asList(after[keyword]);
      for (const [index, alternative] of asList(before[keyword]).entries()) {
        if (index >= alternatives.length) found.push(`${at}.${keyword}/${index}: removed`);
        else compareSchema(alternative, alternatives[index], `${at}.${keyword}/${index}`, direction);
      }
    }
  };

  const compareContent = (one: unknown, other: unknown, at: string, direction: Direction): void => {
    const after = asObject(other);
    for (const [type, media] of Object.entries(asObject(one))) {
      if (!(type in after)) found.push(`${at}: ${type} removed`);
      else compareSchema(asObject(media)['schema'], asObject(after[type])['schema'], at, direction);
    }
  };

  const compareParameters = (one: unknown, other: unknown, at: string): void => {
    const keyOf = (parameter: Json) => `${parameter['in']} ${parameter['name']}`;
    const [before, after] = [asList(one).map(fromBase), asList(other).map(fromNext)];
    for (const parameter of before) {
      const same = after.find((candidate) => keyOf(candidate) === keyOf(parameter));
      if (same === undefined) found.push(`${at} ${keyOf(parameter)}: removed`);
      else compareSchema(parameter['schema'], same['schema'], `${at} ${keyOf(parameter)}`, 'in');
    }
    for (const parameter of after.filter(({ required }) => required === true)) {
      const same = before.find((candidate) => keyOf(candidate) === keyOf(parameter));
      if (same?.['required'] !== true) found.push(`${at} ${keyOf(parameter)}: became required`);
    }
  };

  const compareOperation = (one: Json, other: Json, at: string): void => {
    compareParameters(one['parameters'], other['parameters'], at);
    const [body, nextBody] = [fromBase(one['requestBody']), fromNext(other['requestBody'])];
    if (body['required'] !== true && nextBody['required'] === true) found.push(`${at} body: became required`);
    compareContent(body['content'], nextBody['content'], `${at} body`, 'in');
    const responses = asObject(other['responses']);
    for (const [status, response] of Object.entries(asObject(one['responses']))) {
      const [before, after] = [fromBase(response), fromNext(responses[status])];
      if (!(status in responses)) {
        // A refusal that no longer happens breaks nobody.
        if (status < '400') found.push(`${at} ${status}: removed`);
        continue;
      }
      compareContent(before['content'], after['content'], `${at} ${status}`, 'out');
      for (const name of Object.keys(asObject(before['headers']))) {
        if (!(name in asObject(after['headers']))) found.push(`${at} ${status}: header ${name} removed`);
      }
    }
  };

  for (const [path, operations] of Object.entries(asObject(base['paths']))) {
    const after = asObject(asObject(next['paths'])[path]);
    for (const [method, operation] of Object.entries(asObject(operations))) {
      const at = `${method.toUpperCase()} ${path}`;
      if (method in after) compareOperation(asObject(operation), asObject(after[method]), at);
      else found.push(`${at}: removed`);
    }
  }
  return found;
};
