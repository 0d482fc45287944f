import type { OpenApiDocument } from './openapiDocument.ts';
import { SchemaNode } from './schemaNode.ts';

/** One value for one place: the name of a parameter, or the path of a member in a body. */
export interface Trial {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A parameter or member, with what the document says about it. */
export interface Place {
  readonly path: readonly string[];
  readonly node: SchemaNode;
  readonly isRequired: boolean;
  /** Another alternative of the object need not have it. */
  readonly isOfAlternative: boolean;
}

const DEPTH_MAXIMUM = 6;
const COMPONENT = '#/components/schemas/';

/** Texts of which most patterns, formats and enums accept none. */
const OTHER_TEXTS = ['no-such-value', '?', ' ', 'é', '-1', '0', 'x'];

/** The schema as the document publishes it, with the component that it refers to. */
export const publishedIn = (document: OpenApiDocument) => {
  const published = (schema: unknown): SchemaNode => {
    const { $ref, ...own } = SchemaNode.parse(schema);
    if ($ref === undefined) return own;
    return { ...published(document.components.schemas[$ref.replace(COMPONENT, '')]), ...own };
  };
  return published;
};
type Published = ReturnType<typeof publishedIn>;

const alternativesOf = (node: SchemaNode, published: Published): readonly SchemaNode[] =>
  (node.anyOf ?? node.oneOf ?? []).map(published);
const typesOf = ({ type = [] }: SchemaNode): readonly string[] => [type].flat();
const patternsOf = ({ pattern, allOf = [] }: SchemaNode): readonly RegExp[] =>
  [pattern, ...allOf.map((part) => part.pattern)].flatMap((one) =>
    one === undefined ? [] : [new RegExp(one, 'u')],
  );
const matches = (node: SchemaNode, text: string): boolean =>
  patternsOf(node).every((pattern) => pattern.test(text));

/** Texts of a format, such as times, are good or bad by what other members say. */
const textsOf = (node: SchemaNode): readonly string[] =>
  node.format !== undefined
    ? []
    : [node.minLength, node.maxLength]
        .flatMap((length) => (length === undefined ? [] : ['é'.repeat(length), 'a'.repeat(length)]))
        .filter((text) => matches(node, text));

/** What the document says that is accepted: the bounds, the middle and each choice. */
export const acceptedValues = (node: SchemaNode, published: Published): readonly unknown[] => {
  const { minimum, maximum, items, minItems = 0, maxItems = minItems + 1, uniqueItems } = node;
  if (node.const !== undefined) return [node.const];
  if (node.enum !== undefined) return node.enum;
  const alternatives = alternativesOf(node, published);
  const list = alternatives.find((one) => typesOf(one).includes('array'));
  // The text of a list is its items between commas.
  if (list !== undefined) return acceptedValues(list, published);
  if (alternatives.length > 0) return alternatives.flatMap((one) => acceptedValues(one, published));
  return typesOf(node).flatMap((type): readonly unknown[] => {
    if (type === 'integer' && minimum !== undefined && maximum !== undefined)
      return [minimum, minimum + Math.floor((maximum - minimum) / 2), maximum];
    if (type === 'number' && minimum !== undefined && maximum !== undefined)
      return [minimum, (minimum + maximum) / 2, maximum];
    if (type === 'boolean') return [true, false];
    if (type === 'string') return textsOf(node);
    if (type !== 'array' || items === undefined) return [];
    const each = acceptedValues(published(items), published).filter((value) => typeof value !== 'object');
    const most = uniqueItems === true ? each.slice(0, maxItems) : [];
    return [...each.map((value) => [value]), ...(most.length > 1 && minItems <= most.length ? [most] : [])];
  });
};

const isRefusedText =
  (node: SchemaNode) =>
  (text: string): boolean => {
    if (node.enum !== undefined) return !node.enum.includes(text);
    if (node.format !== undefined) return true;
    return !matches(node, text);
  };

/** Values of types that the document does not name, for a member of a body: a query has texts only. */
export const wrongTypes = (node: SchemaNode, published: Published): readonly unknown[] => {
  const alternatives = alternativesOf(node, published);
  const types = alternatives.length > 0 ? alternatives.flatMap(typesOf) : typesOf(node);
  const hasType = (...some: string[]): boolean =>
    types.length === 0 || some.some((type) => types.includes(type));
  return [
    ...(hasType('object') ? [] : [{ 'no-such-member': 1 }]),
    ...(hasType('array') ? [] : [[[]]]),
    ...(hasType('boolean') ? [] : [true]),
    ...(hasType('integer', 'number') ? [] : [7]),
    ...(hasType('string') ? [] : ['no-such-value']),
  ].slice(0, 2);
};

/** What lies just outside of what the document says: beyond the bounds, and no choice. */
export const outsideValues = (node: SchemaNode, published: Published): readonly unknown[] => {
  const { minimum, maximum, minLength = 0, maxLength, items, minItems = 0, maxItems, uniqueItems } = node;
  const alternatives = alternativesOf(node, published);
  const list = alternatives.find((one) => typesOf(one).includes('array'));
  if (list !== undefined) return outsideValues(list, published);
  if (alternatives.length > 0) return [];
  const hasType = (type: string): boolean => typesOf(node).includes(type);
  const item = items === undefined ? undefined : published(items);
  const [one] = item === undefined ? [] : acceptedValues(item, published);
  return [
    ...(hasType('string')
      ? [
          ...OTHER_TEXTS.filter(isRefusedText(node)).slice(0, 2),
          ...(minLength > 0 ? ['a'.repeat(minLength - 1)] : []),
          ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)]),
        ]
      : []),
    ...(hasType('integer') || hasType('number')
      ? [
          ...(minimum === undefined ? [] : [minimum - 1]),
          ...(maximum === undefined ? [] : [maximum + 1]),
          ...(hasType('integer') ? [1.5] : []),
        ]
      : []),
    ...(hasType('array') && item !== undefined
      ? [
          ...(one !== undefined && uniqueItems === true ? [[one, one]] : []),
          ...(one !== undefined && maxItems !== undefined
            ? [Array.from({ length: maxItems + 1 }, () => one)]
            : []),
          ...(minItems > 0 ? [[]] : []),
          ...(item.properties === undefined ? outsideValues(item, published).map((value) => [value]) : []),
        ]
      : []),
  ];
};

/** The members of a body, also of the first item of a list and of the first alternative. */
export const placesIn = (
  node: SchemaNode,
  published: Published,
  place: Omit<Place, 'node'> = { path: [], isRequired: false, isOfAlternative: false },
): readonly Place[] => {
  const { path } = place;
  if (path.length > DEPTH_MAXIMUM) return [];
  const [alternative] = alternativesOf(node, published).filter(({ properties }) => properties !== undefined);
  const inside = alternative ?? node;
  const item = inside.items === undefined ? undefined : published(inside.items);
  return [
    ...(path.length > 0 ? [{ ...place, node }] : []),
    ...Object.entries(inside.properties ?? {}).flatMap(([name, member]) =>
      placesIn(published(member), published, {
        path: [...path, name],
        isRequired: inside.required?.includes(name) ?? false,
        isOfAlternative: alternative !== undefined,
      }),
    ),
    ...(item?.properties === undefined
      ? []
      : placesIn(item, published, { path: [...path, '0'], isRequired: false, isOfAlternative: false })),
  ];
};

/** The value with another value at `path`. */
export const withValue = (value: unknown, [name, ...rest]: Trial['path'], inner: unknown): unknown => {
  if (name === undefined) return inner;
  const changed = withValue(Object(value)[name], rest, inner);
  if (name === '0') return Array.isArray(value) ? value.with(0, changed) : [changed];
  return { ...(Array.isArray(value) ? {} : Object(value)), [name]: changed };
};

const overlap = (one: Trial['path'], other: Trial['path']): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((name, index) => long[index] === name);
};

/** Puts trials together, so that one request tries many places, each once. */
export const packed = (trials: readonly Trial[]): readonly (readonly Trial[])[] => {
  const rounds: Trial[][] = [];
  for (const trial of trials) {
    const round = rounds.find((others) => others.every(({ path }) => !overlap(path, trial.path)));
    if (round === undefined) rounds.push([trial]);
    else round.push(trial);
  }
  return rounds;
};
