import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Exchange } from '../../functions/http/exchange.ts';
import { reply } from '../../functions/http/reply.ts';
import { fieldErrors } from '../../functions/http/validate.ts';
import { serve, testRoute } from './harness.ts';

const faultsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : fieldErrors(error);
};

describe('the faults of a body', () => {
  it('are told with pointers of RFC 6901', () => {
    const schema = z.object({ 'a/b': z.object({ 'c~d': z.array(z.number()) }) });

    expect(faultsOf(schema, { 'a/b': { 'c~d': [1, 'two'] } })).toMatchObject([{ pointer: '/a~1b/c~0d/1' }]);
  });

  it('name each member that is not known', () => {
    const faults = faultsOf(z.strictObject({ a: z.strictObject({}) }), { a: { x: 1, y: 2 }, role: 'admin' });

    expect(faults.map(({ pointer }) => pointer).sort()).toEqual(['/a/x', '/a/y', '/role']);
  });

  it('never hold the value that is at fault', () => {
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

  it('are told up to a hundred', () => {
    expect(faultsOf(z.array(z.number()), Array(1_000).fill('x'))).toHaveLength(100);
  });
});

describe('what an operation receives', () => {
  const run = async (shape: Parameters<typeof testRoute>[0], sent: Parameters<typeof serve>[2]) => {
    const seen: Exchange[] = [];
    const answer = await serve(
      testRoute(shape),
      (exchange) => {
        seen.push(exchange);
        return reply(200, {});
      },
      { ...sent, headers: { 'x-api-key': 'ask_good', ...sent?.headers } },
    );
    return { answer, input: seen[0]?.input };
  };

  it('is its own id without prefix and tag', async () => {
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
    ['a list', 'acme,acme', 200],
    ['a list with another', 'acme,globex', 403],
  ])('is never a tenant: with %s in the query', async (_, tenant_id, status) => {
    const { answer, input } = await run({ query: z.strictObject({}) }, { query: { tenant_id } });

    expect(answer.status).toBe(status);
    expect(input?.query).toEqual(status === 200 ? {} : undefined);
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

  it('is never a filter called __proto__', async () => {
    const query = JSON.parse('{"__proto__":"1"}');

    const { answer } = await run({ query: z.strictObject({ sort: z.string().optional() }) }, { query });

    expect(answer.body).toMatchObject({ status: 400, error_code: 'INVALID_FILTER' });
  });

  it('is a body exactly as large as its route allows', async () => {
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
