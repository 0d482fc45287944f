import { describe, expect, it } from 'vitest';
import { buildOpenapi } from '../../../functions/platform/apiDocs/contract/openapi.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import type { Deprecation } from '../../../schemas/routes/deprecation.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { serve, testRoute } from './harness.ts';

const deprecated = { since: '2027-02-01', sunset: '2028-02-01', link: 'https://docs.example.com/v2' };
const expected = {
  deprecation: '@1801440000',
  sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
  link: '<https://docs.example.com/v2>; rel="deprecation"; type="text/html"',
};

describe('a deprecated route', () => {
  it('has the headers of the deprecation on success and on errors', async () => {
    const shape = testRoute({ deprecated });
    const ok = await serve(shape, () => reply(200, {}), { headers: { 'x-api-key': 'ask_good' } });
    const refused = await serve(shape, () => reply(200, {}));

    expect([ok.status, refused.status]).toEqual([200, 401]);
    expect(ok.headers).toMatchObject(expected);
    expect(refused.headers).toMatchObject(expected);
  });

  it('has the headers of the present on an idempotent replay, and not those of the first answer', async () => {
    const shape = testRoute({ method: 'POST', rate: 'write', replies: {}, deprecated });
    const { headers } = await serve(shape, () => reply(200, {}), {
      headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'one' },
    });

    expect(headers).toMatchObject(expected);
  });

  it('has no Sunset header before a date is known', async () => {
    const { since, link } = deprecated;
    const { headers } = await serve(testRoute({ access: 'public', deprecated: { since, link } }), () =>
      reply(200, {}),
    );

    expect(headers).toMatchObject({ deprecation: expected.deprecation });
    expect(headers).not.toHaveProperty('sunset');
  });

  it('is marked in the API document, with its headers', () => {
    const shape = testRoute({ deprecated, replies: { 200: { description: 'The things' } } });
    const text = JSON.stringify(buildOpenapi([shape], 'https://api.example.com'));

    expect(text).toContain('"deprecated":true');
    expect(text).toContain('#/components/headers/Sunset');
  });
});

it('other routes have no such headers', async () => {
  const { headers } = await serve(testRoute({ access: 'public' }), () => reply(200, {}));

  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['deprecation']));
});

/** A deprecated route keeps working for at least this long. */
const DEPRECATION_MONTHS = 12;

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** The reason why a deprecation breaks the promise to clients, or undefined. */
const deprecationFault = ({ since, sunset }: Deprecation): string | undefined => {
  if (Number.isNaN(startOf(since).getTime())) return `${since} is no day`;
  if (sunset === undefined) return undefined;
  const earliest = startOf(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + DEPRECATION_MONTHS);
  return startOf(sunset) >= earliest ? undefined : `must keep working for ${DEPRECATION_MONTHS} months`;
};

it('every deprecated route keeps working for at least twelve months', () => {
  const faults = routes.flatMap(({ deprecated: announced }) =>
    announced === undefined ? [] : (deprecationFault(announced) ?? []),
  );

  expect(faults).toEqual([]);
});

it.each([
  ['2028-02-01', undefined],
  ['2028-01-31', 'must keep working for 12 months'],
  [undefined, undefined],
])('a route deprecated on 2027-02-01 with the sunset %s: %s', (sunset, fault) => {
  const { since, link } = deprecated;

  expect(deprecationFault({ since, link, ...(sunset !== undefined && { sunset }) })).toBe(fault);
});
