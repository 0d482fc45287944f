import { asList, asObject, type Json, type Report } from './change.ts';

/**
 * `out`: the service sends it, so a change must not take anything away. `in`: it accepts it, so a change must not ask for
 * more.
 */
export type Direction = 'in' | 'out';

interface Shape {
  readonly schema: Json;
  /** Empty: every type. `null` stands beside the type of a nullable schema. */
  readonly types: readonly unknown[];
  readonly values: readonly unknown[] | undefined;
  readonly alternatives: readonly unknown[];
}

/** Limits that may only become wider in a request. `upper`: a higher value is wider. */
const limits = {
  upper: ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties', 'x-max-words'],
  lower: ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'],
} as const;

const SCHEMA_REFERENCE = '#/components/schemas/';

/** Compares the schemas of two documents. `resolve` follows the references of the older and of the newer one. */
export const schemaComparison = (
  [resolveBefore, resolveAfter]: readonly [(value: unknown) => Json, (value: unknown) => Json],
  report: Report,
) => {
  const compared = new Set<string>();

  /** Reads a schema so that `anyOf: [X, null]` equals X with the additional type null. */
  const shapeOf = (value: unknown, resolve: (value: unknown) => Json): Shape => {
    const schema = resolve(value);
    const all = [...asList(schema['anyOf']), ...asList(schema['oneOf'])];
    const isNull = (one: unknown) => resolve(one)['type'] === 'null';
    const alternatives = all.filter((one) => !isNull(one));
    const [only] = alternatives;
    const types = 'type' in schema ? [schema['type']].flat() : [];
    if (alternatives.length === 1 && only !== undefined) {
      const inner = shapeOf(only, resolve);
      const nullable = all.length > 1 && inner.types.length > 0 ? ['null'] : [];
      return { ...inner, types: [...inner.types, ...nullable] };
    }
    const values =
      'const' in schema ? [schema['const']] : 'enum' in schema ? asList(schema['enum']) : undefined;
    return {
      schema,
      types: [...types, ...(alternatives.length < all.length ? ['null'] : [])],
      values,
      alternatives,
    };
  };

  const compareTypes = (before: Shape, after: Shape, at: string, direction: Direction): void => {
    const [narrow, wide] = direction === 'out' ? [after, before] : [before, after];
    const fits = (type: unknown) =>
      wide.types.includes(type) || (type === 'integer' && wide.types.includes('number'));
    const isBroken = wide.types.length > 0 && (narrow.types.length === 0 || !narrow.types.every(fits));
    const texts = [before, after].map(({ types }) => [...types].sort().join(' or ') || 'anything');
    if (isBroken) report('major', at, `type changed from ${texts[0]} to ${texts[1]}`);
    else if (texts[0] !== texts[1]) report('minor', at, `type changed from ${texts[0]} to ${texts[1]}`);
  };

  const compareValues = (before: Shape, after: Shape, at: string, direction: Direction): void => {
    if (before.values === undefined && after.values === undefined) return;
    if (before.values === undefined) report(direction === 'in' ? 'major' : 'minor', at, 'became an enum');
    else if (after.values === undefined)
      report(direction === 'out' ? 'major' : 'minor', at, 'is no longer an enum');
    else {
      for (const value of before.values)
        if (!after.values.includes(value)) report('major', at, `${value} removed from the enum`);
      for (const value of after.values)
        if (!before.values.includes(value)) report('minor', at, `${value} added to the enum`);
    }
  };

  const compareLimits = (before: Json, after: Json, at: string, direction: Direction): void => {
    const changed = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
    for (const [kind, names] of Object.entries(limits)) {
      for (const name of names.filter(changed)) {
        const missing = kind === 'upper' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
        const [old, fresh] = [Number(before[name] ?? missing), Number(after[name] ?? missing)];
        const isNarrower = kind === 'upper' ? fresh < old : fresh > old;
        report(
          direction === 'in' && isNarrower ? 'major' : 'minor',
          at,
          `${name} changed from ${old} to ${fresh}`,
        );
      }
    }
    for (const name of ['pattern', 'format', 'multipleOf', 'uniqueItems'].filter(changed)) {
      const isBroken = direction === 'in' ? after[name] !== undefined : name === 'format';
      report(isBroken ? 'major' : 'minor', at, `${name} changed from ${before[name]} to ${after[name]}`);
    }
    if (direction === 'in' && changed('default')) {
      const had = before['default'] !== undefined;
      report(had ? 'major' : 'minor', at, `default changed from ${before['default']} to ${after['default']}`);
    }
  };

  const compareMembers = (before: Json, after: Json, at: string, direction: Direction): void => {
    const [members, membersAfter] = [asObject(before['properties']), asObject(after['properties'])];
    const [required, requiredAfter] = [asList(before['required']), asList(after['required'])];
    for (const [name, member] of Object.entries(members)) {
      // A request member that is no longer known would be dropped in silence.
      if (!(name in membersAfter)) report('major', `${at}.${name}`, 'removed');
      else compare(member, membersAfter[name], `${at}.${name}`, direction);
    }
    for (const name of Object.keys(membersAfter))
      if (!(name in members)) report('minor', `${at}.${name}`, 'added');
    for (const name of requiredAfter)
      if (!required.includes(name))
        report(direction === 'in' ? 'major' : 'minor', `${at}.${name}`, 'became required');
    for (const name of required)
      if (String(name) in membersAfter && !requiredAfter.includes(name))
        report(direction === 'out' ? 'major' : 'minor', `${at}.${name}`, 'became optional');
    const closed = after['additionalProperties'] === false && before['additionalProperties'] !== false;
    if (closed && direction === 'in') report('major', at, 'unknown members are now refused');
  };

  /** The alternatives by the values of their required member `name`, if its values tell all of them apart. */
  const taggedBy = (
    name: string,
    alternatives: readonly unknown[],
    resolve: (value: unknown) => Json,
  ): ReadonlyMap<unknown, unknown> | null => {
    const pairs = alternatives.map((one) => {
      const { properties, required } = resolve(one);
      const values = shapeOf(asObject(properties)[name], resolve).values;
      return asList(required).includes(name) ? values?.map((value) => [value, one] as const) : undefined;
    });
    const tags = new Map(pairs.flatMap((found = []) => found));
    return pairs.includes(undefined) || tags.size < pairs.flat().length ? null : tags;
  };

  /**
   * Compares what the service sends when a member, such as `type`, tells the alternatives apart. A client chooses by its
   * value, so one more alternative is to it what one more value of an enum is. Returns false when no member does.
   */
  const compareTagged = (before: Shape, after: Shape, at: string): boolean => {
    const old = before.alternatives.length === 0 ? [before.schema] : before.alternatives;
    const names = asList(resolveAfter(after.alternatives[0])['required']).map(String);
    for (const name of names) {
      const was = taggedBy(name, old, resolveBefore);
      const is = taggedBy(name, after.alternatives, resolveAfter);
      if (was === null || is === null || [...was.keys()].some((value) => !is.has(value))) continue;
      for (const [value, alternative] of was) compare(alternative, is.get(value), at, 'out');
      for (const value of is.keys())
        if (!was.has(value)) report('minor', at, `alternative with ${name} ${value} added`);
      return true;
    }
    return false;
  };

  const compareAlternatives = (before: Shape, after: Shape, at: string, direction: Direction): void => {
    if (before.alternatives.length === 0 && after.alternatives.length === 0) return;
    const left = [...after.alternatives];
    const take = (index: number) => (index < 0 ? undefined : left.splice(index, 1)[0]);
    const rest = before.alternatives.filter((one) => {
      const same = take(left.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)));
      if (same !== undefined) compare(one, same, `${at}|`, direction);
      return same === undefined;
    });
    for (const [index, one] of rest.entries()) {
      const other = take(0);
      if (other === undefined) report('major', at, `alternative ${index + 1} removed`);
      else compare(one, other, `${at}|`, direction);
    }
    for (const _ of left) report(direction === 'out' ? 'major' : 'minor', at, 'alternative added');
  };

  const compare = (one: unknown, other: unknown, at: string, direction: Direction): void => {
    const [ref, otherRef] = [asObject(one)['$ref'], asObject(other)['$ref']];
    if (typeof ref === 'string' && ref.startsWith(SCHEMA_REFERENCE)) {
      const pair = `${direction} ${ref} ${String(otherRef)}`;
      if (compared.has(pair)) return;
      compared.add(pair);
    }
    const [before, after] = [shapeOf(one, resolveBefore), shapeOf(other, resolveAfter)];
    if (direction === 'out' && after.alternatives.length > 1 && compareTagged(before, after, at)) return;
    compareTypes(before, after, at, direction);
    compareValues(before, after, at, direction);
    compareLimits(before.schema, after.schema, at, direction);
    compareMembers(before.schema, after.schema, at, direction);
    compareAlternatives(before, after, at, direction);
    for (const keyword of ['items', 'additionalProperties'] as const) {
      if (typeof before.schema[keyword] === 'object')
        compare(before.schema[keyword], after.schema[keyword], `${at}.${keyword}`, direction);
    }
    for (const [index, part] of asList(before.schema['allOf']).entries())
      compare(part, asList(after.schema['allOf'])[index], at, direction);
  };
  return compare;
};
