import { expect, it } from 'vitest';
import type * as z from 'zod';
import { buildOpenapi } from '../../../../functions/platform/apiDocs/contract/openapi.ts';
import { isList } from '../../../../schemas/filters.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../../schemas/routes/route.ts';
import { expectNoFaults } from '../../../support/faults.ts';
import { OpenApiDocument, operationIn } from './openapiDocument.ts';
import { sampleOf } from './sample.ts';
import { SchemaNode } from './schemaNode.ts';

const document = OpenApiDocument.parse(JSON.parse(JSON.stringify(buildOpenapi(routes, 'https://api.test'))));

/** The schema as the document publishes it. */
const published = (schema: unknown): SchemaNode => {
  const node = SchemaNode.parse(schema);
  const name = node.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? node : published(document.components.schemas[name]);
};

const integersOf = ({ minimum, maximum }: SchemaNode): readonly number[] =>
  minimum === undefined || maximum === undefined
    ? []
    : [minimum, minimum + Math.floor((maximum - minimum) / 2), maximum];

const textsOf = ({ format, pattern, minLength, maxLength }: SchemaNode): readonly string[] => {
  if (format !== undefined || pattern !== undefined) return [];
  return [minLength, maxLength].flatMap((length) => (length === undefined ? [] : ['é'.repeat(length)]));
};

/** The bounds and the choices that a schema states, as values. */
const statedValues = (node: SchemaNode): readonly unknown[] => [
  ...(node.enum ?? []),
  ...(node.type === 'integer' ? integersOf(node) : []),
  ...(node.type === 'boolean' ? [true, false] : []),
  ...(node.type === 'string' ? textsOf(node) : []),
  ...(node.anyOf ?? []).flatMap((one) => statedValues(published(one))),
];

interface Member {
  readonly path: readonly string[];
  readonly node: SchemaNode;
}

const DEPTH_MAXIMUM = 6;

const membersOf = (node: SchemaNode, path: readonly string[] = []): readonly Member[] => {
  if (path.length > DEPTH_MAXIMUM) return [];
  return [
    { path, node },
    ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) =>
      membersOf(published(inner), [...path, name]),
    ),
  ];
};

/** The value with the member at `path`. */
const withMember = (value: unknown, [name, ...rest]: Member['path'], member: unknown): unknown =>
  name === undefined ? member : { ...Object(value), [name]: withMember(Object(value)[name], rest, member) };

/** The issue that refuses the member itself. Issues between members depend on the sample. */
const refusalOf = (schema: z.ZodType, value: unknown, path: Member['path']): string | undefined =>
  schema
    .safeParse(value)
    .error?.issues.find(
      (issue) => issue.code !== 'custom' && issue.path.join('/') === path.join('/') && path.length > 0,
    )?.message;

/** Parameters with one value. A list is a text of its items. */
const parameters = routes.flatMap((route: RouteShape) =>
  (operationIn(document, route)?.parameters ?? []).flatMap(({ name, schema }) => {
    const parser: z.ZodType | undefined = route.query?.shape[name];
    const node = published(schema);
    return parser === undefined || isList(parser) ? [] : [{ route, name, node, parser }];
  }),
);

it('accepts every bound and choice that the document states for a query parameter, on every route', async () => {
  const stated = parameters.flatMap(({ node, ...parameter }) =>
    statedValues(node).map((value) => ({ ...parameter, value: String(value) })),
  );
  await expectNoFaults(
    stated,
    ({ route, name, value }) => `${routeKey(route)} ${name}=${value.slice(0, 20)}`,
    async ({ parser, value }) => parser.safeParse(value).error?.issues.map(({ message }) => message) ?? [],
  );
  expect(stated.length).toBeGreaterThan(200);
});

it('refuses the next number on both sides of the bounds of a query parameter, on every route', async () => {
  const numbers = parameters.flatMap(({ node: { type, minimum, maximum }, ...parameter }) =>
    type !== 'integer' || minimum === undefined || maximum === undefined
      ? []
      : [minimum - 1, maximum + 1].map((value) => ({ ...parameter, value: String(value) })),
  );
  await expectNoFaults(
    numbers,
    ({ route, name, value }) => `${routeKey(route)} ${name}=${value}`,
    async ({ parser, value }) => (parser.safeParse(value).success ? ['is accepted'] : []),
  );
  expect(numbers.length).toBeGreaterThan(40);
});

it('accepts every bound and choice that the document states for a member of a body, on every route', async () => {
  const bodies = routes.flatMap((route: RouteShape) => {
    const content = Object.values(operationIn(document, route)?.requestBody?.content ?? {});
    if (route.body === undefined) return [];
    const { schema, accepts = schema } = route.body;
    const sample = sampleOf(schema);
    return content.flatMap((one) =>
      membersOf(published(one.schema)).flatMap(({ path, node }) =>
        statedValues(node).map((value) => ({ route, accepts, sample, path, value })),
      ),
    );
  });
  await expectNoFaults(
    bodies,
    ({ route, path, value }) => `${routeKey(route)} ${path.join('/')}=${String(value).slice(0, 20)}`,
    async ({ accepts, sample, path, value }) => {
      const refusal = refusalOf(accepts, withMember(sample, path, value), path);
      return refusal === undefined ? [] : [refusal];
    },
  );
  expect(bodies.length).toBeGreaterThan(300);
});
