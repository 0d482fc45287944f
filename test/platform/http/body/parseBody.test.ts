import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseBody } from '../../../../functions/platform/http/body/parseBody.ts';
import { fieldErrors } from '../../../../functions/platform/http/inputErrors.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../../schemas/routes/route.ts';
import { expectNoFaults, unequal } from '../../../support/faults.ts';
import { sampleOf } from '../../apiDocs/contract/sample.ts';

const Shape = z.object({
  name: z.string(),
  note: z.string().optional(),
  until: z.string().nullable().optional(),
  inner: z.object({ size: z.int().optional(), kind: z.enum(['a', 'b']) }).optional(),
  list: z
    .array(z.union([z.string(), z.object({ key: z.string(), value: z.string().optional() })]))
    .optional(),
});
const errorsOf = (body: unknown) => {
  const { error } = parseBody(Shape, body);
  return error === undefined
    ? []
    : fieldErrors(error, Shape, body).map(({ pointer, detail }) => `${pointer} ${detail}`);
};

describe('null in a body', () => {
  it('is no value, at any depth', () => {
    const body = {
      name: 'x',
      note: null,
      inner: { size: null, kind: 'a' },
      list: [{ key: 'k', value: null }],
    };

    expect(parseBody(Shape, body).data).toEqual({ name: 'x', inner: { kind: 'a' }, list: [{ key: 'k' }] });
  });

  it('keeps its meaning where the schema accepts it', () => {
    expect(parseBody(Shape, { name: 'x', until: null }).data).toEqual({ name: 'x', until: null });
  });

  it('leaves a required member missing', () => {
    expect(errorsOf({ name: null, note: null, inner: { kind: null } })).toEqual([
      '/name is required',
      '/inner/kind is required',
    ]);
  });

  it('is no item of a list', () => {
    expect(errorsOf({ name: 'x', list: ['a', null] })).toHaveLength(1);
  });

  it('hides no other fault', () => {
    expect(errorsOf({ name: 'x', note: null, inner: { size: 'big', kind: 'c' } })).toEqual([
      '/inner/size must be a number',
      '/inner/kind must be one of a, b',
    ]);
  });
});

it('may stand for every optional member of the body of every route that creates or replaces', async () => {
  const members = routes.flatMap((route: RouteShape) => {
    if (route.body?.kind !== 'json' || route.method === 'PATCH') return [];
    const { schema } = route.body;
    const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const root = document.$ref?.replace('#/$defs/', '') ?? '';
    const { properties = {}, required = [] } = document.$defs?.[root] ?? document;
    const sample = sampleOf(schema);
    return Object.keys(properties)
      .filter((name) => !required.includes(name))
      .map((name) => ({ route, schema, name, sample }));
  });

  await expectNoFaults(
    members,
    ({ route, name }) => `${routeKey(route)} ${name}`,
    async ({ schema, name, sample }) => {
      const faultsOf = (body: unknown) => parseBody(schema, body).error?.issues.map(({ message }) => message);
      const { [name]: _, ...absent } = Object(sample);
      return unequal('faults', faultsOf({ ...absent, [name]: null }), faultsOf(absent));
    },
  );
  expect(members.length).toBeGreaterThan(20);
});
