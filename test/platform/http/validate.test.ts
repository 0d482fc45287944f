import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Exchange } from '../../../functions/platform/http/exchange.ts';
import { fieldErrors } from '../../../functions/platform/http/inputErrors.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { serve, testRoute } from './harness.ts';

const faultsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : fieldErrors(error, schema, value);
};

describe('fieldErrors', () => {
  it('returns RFC 6901 pointers', () => {
    const schema = z.object({ 'a/b': z.object({ 'c~d': z.array(z.number()) }) });

    expect(faultsOf(schema, { 'a/b': { 'c~d': [1, 'two'] } })).toMatchObject([{ pointer: '/a~1b/c~0d/1' }]);
  });

  it('names each unknown member', () => {
    const faults = faultsOf(z.strictObject({ a: z.strictObject({}) }), { a: { x: 1, y: 2 }, role: 'admin' });

    expect(faults.map(({ pointer }) => pointer).sort()).toEqual(['/a/x', '/a/y', '/role']);
  });

  it('never contains the invalid value', () => {
    const schema = z.object({
      text: z.string().max(3),
      kind: z.enum(['a', 'b']),
      tags: z.array(z.string().regex(/^x/)),
      count: z.int(),
      nested: z.object({ deep: z.boolean() }),
    });
    const canary = fc.stringMatching(/^canary[a-z0-9]{10}$/);

    fc.assert(
      fc.property(canary, (text) => {
        const value = { text, kind: text, tags: [text], count: text, nested: { deep: text } };
        const faults = faultsOf(schema, value);
        expect(faults).toHaveLength(5);
        expect(JSON.stringify(faults)).not.toContain(text);
      }),
    );
  });

  it('returns at most 100 errors', () => {
    expect(faultsOf(z.array(z.number()), Array(1_000).fill('x'))).toHaveLength(100);
  });
});

describe('validate', () => {
  const run = async (shape: Parameters<typeof testRoute>[0], sent: Parameters<typeof serve>[2]) => {
    const exchanges: Exchange[] = [];
    const answer = await serve(
      testRoute(shape),
      (exchange) => {
        exchanges.push(exchange);
        return reply(200, {});
      },
      { ...sent, headers: { 'x-api-key': 'ask_good', ...sent?.headers } },
    );
    return { answer, input: exchanges[0]?.input };
  };

  it('reduces a path id to its ULID', async () => {
    const { input } = await run(
      { path: '/things/{id}', ids: { id: 'att' } },
      { parameters: { id: 'att_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV' } },
    );

    expect(input?.parameters).toEqual({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
  });

  it.each([
    ['its own tenant', 'acme', 200],
    ['another', 'globex', 403],
    ['its own in another case', 'ACME', 403],
    ['a list', 'acme,acme', 403],
  ])('refuses another tenant in the query and drops the own one: %s', async (_, tenant_id, status) => {
    const { answer, input } = await run({ query: z.strictObject({}) }, { query: { tenant_id } });

    expect(answer.status).toBe(status);
    expect(input?.query).toEqual(status === 200 ? {} : undefined);
  });

  it('refuses a repeated tenant, and one of several that is another', async () => {
    const shape = { query: z.strictObject({}) };

    const twice = await run(shape, { rawQuery: 'tenant_id=acme&tenant_id=acme' });
    const other = await run(shape, { rawQuery: 'tenant_id=acme&tenant_id=globex' });

    expect(twice.answer.body).toMatchObject({ status: 400, errors: [{ parameter: 'tenant_id' }] });
    expect(other.answer.body).toMatchObject({ status: 403, error_code: 'TENANT_MISMATCH' });
  });

  it.each([
    ['an escape that is none', 'owner=%zz', 'owner'],
    ['half an escape', 'owner=a%4', 'owner'],
    ['a byte that is no UTF-8', 'owner=%ff', 'owner'],
    ['a surrogate', 'owner=%ED%A0%80', 'owner'],
    ['an overlong form', 'owner=%C0%AF', 'owner'],
    ['a character that is not encoded', 'owner=caf\u00e9', 'owner'],
    ['an undecodable name', '%ff=a', undefined],
  ])('refuses %s, and names the parameter', async (_, rawQuery, parameter) => {
    const { answer } = await run({ query: z.strictObject({ owner: z.string().optional() }) }, { rawQuery });

    expect(answer.body).toMatchObject({ status: 400, error_code: 'INVALID_FILTER' });
    expect(answer.body['errors']).toEqual([
      expect.objectContaining(parameter === undefined ? {} : { parameter }),
    ]);
    expect(JSON.stringify(answer.body['errors']).includes('parameter"')).toBe(parameter !== undefined);
  });

  it('reads each parameter as it was sent', async () => {
    const text = z.string().optional();
    const shape = { query: z.strictObject({ a: text, b: text, c: text, d: text }) };

    const { input } = await run(shape, { rawQuery: 'a=1%2C2&&b=x+y%20z&c=%E2%82%AC%3D=&d' });

    expect(input?.query).toEqual({ a: '1,2', b: 'x y z', c: '€==', d: '' });
  });

  it.each([
    ['at[gte]=2026-05-01T00:00:00Z&at[lt]=2026-05-01T00:00:00Z', 400],
    ['at[gt]=2026-05-01T00:00:00Z&at[lte]=2026-05-01T00:00:00Z', 400],
    ['at[gte]=2026-05-01T00:00:00Z&at[lte]=2026-05-01T00:00:00Z', 200],
    ['at=2026-05-01T00:00:00Z&at[gt]=2026-05-01T00:00:00Z', 400],
    ['at=2026-05-01T00:00:00Z&at[gte]=2026-05-01T02:00:00%2B02:00', 200],
    ['at[gte]=2026-05-02T00:00:00Z&at[lte]=2026-05-01T00:00:00Z', 400],
    ['at[gte]=2026-05-01T00:00:00.0005Z&at[lt]=2026-05-01T00:00:00.001Z', 400],
    ['at[gte]=2026-05-01T00:00:00.0005Z&at[lte]=2026-05-01T00:00:00.001Z', 200],
    ['owner=2026-05-01&owner[eq]=2026-05-02', 200],
  ])('refuses only bounds that exclude each other: %s', async (rawQuery, status) => {
    const text = z.string().optional();
    const names = ['at', 'at[gt]', 'at[gte]', 'at[lt]', 'at[lte]', 'owner', 'owner[eq]'];
    const shape = z.strictObject(Object.fromEntries(names.map((name) => [name, text])));

    const { answer } = await run({ query: shape }, { rawQuery });

    expect(answer.status).toBe(status);
  });

  it.each([['globex'], [7], [null], [['acme']], [{}]])(
    'is never a body that names the tenant %j',
    async (tenant_id) => {
      const { answer } = await run(
        { method: 'POST', rate: 'ingest', body: { kind: 'json', schema: z.looseObject({}), maxBytes: 100 } },
        {
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
          body: JSON.stringify({ tenant_id }),
        },
      );

      expect(answer.body).toMatchObject({ status: 403, error_code: 'TENANT_MISMATCH' });
    },
  );

  it('refuses a filter named __proto__', async () => {
    const query = JSON.parse('{"__proto__":"1"}');

    const { answer } = await run({ query: z.strictObject({ sort: z.string().optional() }) }, { query });

    expect(answer.body).toMatchObject({ status: 400, error_code: 'INVALID_FILTER' });
  });

  it('accepts a body of exactly the maximum size', async () => {
    const shape = {
      method: 'POST',
      body: { kind: 'json', schema: z.string(), maxBytes: 10 },
    } as const;
    const headers = { 'content-type': 'Application/JSON ; charset="UTF-8"', 'idempotency-key': 'k' };

    const fits = await run(shape, { headers, body: '"12345678"' });
    const tooLarge = await run(shape, { headers, body: '"123456é"' + ' ' });

    expect(fits.input?.body).toBe('12345678');
    expect(tooLarge.answer.status).toBe(413);
  });
});
