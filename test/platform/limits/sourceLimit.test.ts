import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { type SourceLimiter, sourceLimiter } from '../../../functions/platform/limits/sourceLimiter.ts';
import { sourceNetworkOf } from '../../../functions/platform/limits/sourceNetwork.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import { SOURCE_LIMIT } from '../../../schemas/platform/limits.ts';
import { routes } from '../../../schemas/routes/index.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import { caller, NOW, serve, servedBy, testRoute } from '../http/harness.ts';

const { burst } = SOURCE_LIMIT;
const ATTACKER = '198.51.100.9';

/** Keys with a right checksum, of which one is valid. */
const keyOf = (index: number): string =>
  formatApiKey('test', `k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G${String(index).padStart(4, '0')}`, 'a'.repeat(43));
const VALID = keyOf(0);

let now: number;
let sources: SourceLimiter;
/** Credentials that the authenticator looked up. */
let looked: string[];

beforeEach(() => {
  now = NOW;
  looked = [];
  sources = sourceLimiter({ clock: () => now });
});

const send = (key: string, sourceIp = ATTACKER, shape = testRoute(), headers: Record<string, string> = {}) =>
  serve(
    shape,
    () => ({ status: 200, body: {} }),
    { headers: { 'x-api-key': key, ...headers }, sourceIp },
    {
      sources,
      authenticator: async (credential) => {
        looked.push(credential);
        if (credential.startsWith('ask_good') || credential === VALID) return caller;
        return credential === 'ask_expired' ? 'expired' : 'invalid';
      },
    },
  );

const exhaust = async (sourceIp = ATTACKER): Promise<void> => {
  for (let count = 0; count < burst; count += 1) await send(`ask_bad${count}`, sourceIp);
};

describe('failed authentications', () => {
  it('are refused with 429 and Retry-After after the burst, without a lookup', async () => {
    await exhaust();
    expect(looked).toHaveLength(burst);

    const refused = await send('ask_bad');

    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body).toMatchObject({ error_code: 'RATE_LIMITED' });
    expect(looked).toHaveLength(burst);
  });

  it('are admitted again at the rate of the limit', async () => {
    await exhaust();
    now += 2_000;

    const statuses = [await send('ask_bad'), await send('ask_bad'), await send('ask_bad')].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([401, 401, 429]);
  });

  it('do not affect another source', async () => {
    await exhaust();

    expect((await send('ask_good', '203.0.113.5')).status).toBe(200);
    expect((await send('ask_bad', '203.0.113.5')).status).toBe(401);
  });

  it('lock no valid key out, which no environment has seen, behind the same address', async () => {
    await exhaust();
    for (let index = 1; index <= 2 * burst; index += 1) await send(keyOf(index));

    expect((await send('ask_bad')).status).toBe(429);
    expect((await send(VALID)).status).toBe(200);
  });

  it('with well-formed keys are 429 after the burst, and leave the reserve of others alone', async () => {
    const statuses = [];
    for (let index = 1; index <= burst + 2; index += 1) statuses.push((await send(keyOf(index))).status);

    expect(statuses).toEqual([...Array(burst).fill(401), 429, 429]);
    expect((await send('ask_bad')).status).toBe(401);
  });

  it('are counted by the address of the connection, not by a header', async () => {
    await exhaust();

    const forwarded = { 'x-forwarded-for': '203.0.113.77', forwarded: 'for=203.0.113.77' };

    expect((await send('ask_bad', ATTACKER, testRoute(), forwarded)).status).toBe(429);
  });

  it('are counted at the OAuth endpoints, whose credential is in the form', async () => {
    const form = testRoute({
      method: 'POST',
      access: 'public',
      rate: 'none',
      body: { kind: 'form', schema: z.string(), maxBytes: 100 },
    });
    const attempt = (body: string) =>
      serve(
        form,
        () => {
          throw new ProblemError('INVALID_CREDENTIALS', 'wrong');
        },
        { body, headers: { 'content-type': 'application/x-www-form-urlencoded' }, sourceIp: ATTACKER },
        { sources },
      );
    for (let count = 0; count < burst; count += 1)
      expect((await attempt(`client_secret=${count}`)).status).toBe(401);

    expect((await attempt('client_secret=x')).status).toBe(429);
  });
});

it.each([
  ['an expired key', 'ask_expired', 401],
  ['a valid key', 'ask_good', 200],
])('does not count requests with %s', async (_, key, status) => {
  for (let count = 0; count < 2 * burst; count += 1) expect((await send(key)).status).toBe(status);
});

it('does not count requests without a credential', async () => {
  const anonymous = () =>
    serve(testRoute(), () => ({ status: 200, body: {} }), { sourceIp: ATTACKER }, { sources });

  for (let count = 0; count < 2 * burst; count += 1) expect((await anonymous()).status).toBe(401);
});

it('lets a source start as many sign-ins as the burst, whatever else it failed at', async () => {
  await exhaust();
  const started: string[] = [];
  const start = (sourceIp = ATTACKER) =>
    serve(
      testRoute({ access: 'public', rate: 'source' }),
      () => {
        started.push(sourceIp);
        return { status: 200, body: {} };
      },
      { sourceIp },
      { sources },
    );
  for (let count = 0; count < burst; count += 1) expect((await start()).status).toBe(200);

  const refused = await start();

  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(started).toHaveLength(burst);
  expect((await start('203.0.113.5')).status).toBe(200);
});

it('charges the source of each route that stores something for a caller without a credential', () => {
  const starts = routes.filter(
    ({ access, needs }) =>
      (access === 'public' || access === 'session') && needs.some((need) => need === 'grants.start'),
  );
  const charged = routes.filter(({ rate }: RouteShape) => rate === 'source');

  // The callback takes what a start stored, and stores nothing without it.
  expect(starts.filter(({ operation }) => operation !== 'finishSignIn')).toEqual(charged);
});

it('does not refuse public routes', async () => {
  await exhaust();

  expect((await send('ask_bad', ATTACKER, testRoute({ access: 'public', rate: 'none' }))).status).toBe(200);
});

it('locks no valid credential of many callers behind one address out, in any order and any environment', async () => {
  const valid = [
    { 'x-api-key': VALID },
    { authorization: `Bearer ${VALID}` },
    { authorization: 'Bearer aGVhZA.Ym9keQ.c2ln' },
  ];
  for (const headers of valid) {
    sources = sourceLimiter({ clock: () => now });
    await exhaust();
    for (let index = 1; index <= burst; index += 1) await send(keyOf(index));
    const answer = await serve(
      testRoute(),
      () => ({ status: 200, body: {} }),
      { headers, sourceIp: ATTACKER },
      { sources, authenticator: async () => caller },
    );

    expect(answer.status, JSON.stringify(headers)).toBe(200);
  }
});

it('checks the client of an OAuth request whatever failed before', async () => {
  const form = testRoute({
    method: 'POST',
    access: 'public',
    rate: 'none',
    body: { kind: 'form', schema: z.string(), maxBytes: 200 },
  });
  const request = (body: string, run: () => { status: number; body: object }) =>
    serve(
      form,
      run,
      { body, headers: { 'content-type': 'application/x-www-form-urlencoded' }, sourceIp: ATTACKER },
      { sources },
    );
  const refuse = () => {
    throw new ProblemError('INVALID_CREDENTIALS', 'wrong');
  };
  const client = 'client_id=cli_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV';
  for (let count = 0; count < 2 * burst; count += 1) {
    await request(`client_secret=${count}`, refuse);
    await request(`${client}&client_secret=${count}`, refuse);
  }

  expect((await request(`${client}&client_secret=right`, () => ({ status: 200, body: {} }))).status).toBe(
    200,
  );
});

it('admits at most burst + rate × time failures of a source, in any order of sources', () => {
  const steps = fc.array(fc.record({ pause: fc.nat({ max: 3_000 }), source: fc.nat({ max: 2 }) }), {
    maxLength: 200,
  });

  fc.assert(
    fc.property(steps, (all) => {
      let at = NOW;
      const limiter = sourceLimiter({ clock: () => at });
      const admitted = new Map<number, number>();
      for (const { pause, source } of all) {
        at += pause;
        const attempt = { sourceIp: `192.0.2.${source}`, reserve: 'malformed' } as const;
        if (limiter.secondsToWait(attempt) > 0) continue;
        limiter.record(attempt);
        admitted.set(source, (admitted.get(source) ?? 0) + 1);
      }
      const most = burst + Math.ceil((at - NOW) / 1_000) * SOURCE_LIMIT.rate;
      for (const count of admitted.values()) expect(count).toBeLessThanOrEqual(most);
    }),
  );
});

describe('behind proxies that append to X-Forwarded-For', () => {
  const PROXY = '203.0.113.1';
  const CLIENT = '198.51.100.20';
  /** An environment that has seen nothing, with as many proxies, and what it counts and logs. */
  const coldEnvironment = (trustedProxies: number) => {
    const seen: string[] = [];
    const run = servedBy(
      testRoute(),
      ({ sourceIp }) => {
        seen.push(sourceIp);
        return { status: 200, body: {} };
      },
      {
        trustedProxies,
        sources: sourceLimiter({ clock: () => NOW }),
        authenticator: async (credential) => (credential === 'ask_good' ? caller : 'invalid'),
      },
    );
    return {
      seen,
      send: (key: string, forwarded: string, sourceIp = PROXY) =>
        run({ headers: { 'x-api-key': key, 'x-forwarded-for': forwarded }, sourceIp }),
    };
  };

  it.each([
    ['no proxy', 0, `${CLIENT}, ${PROXY}`, PROXY],
    ['one proxy', 1, `${CLIENT}, ${PROXY}`, CLIENT],
    ['one proxy and a gateway that does not append', 1, CLIENT, CLIENT],
    ['one proxy and an invented address', 1, `192.0.2.99, ${CLIENT}, ${PROXY}`, CLIENT],
    ['two proxies', 2, `${CLIENT}, 10.0.0.1, ${PROXY}`, CLIENT],
    ['two proxies and invented ones', 2, `192.0.2.99,192.0.2.98,${CLIENT}, 10.0.0.1, ${PROXY}`, CLIENT],
    ['an IPv6 client', 1, `2001:db8::7, ${PROXY}`, '2001:db8::7'],
    ['fewer entries than proxies', 3, `${CLIENT}, ${PROXY}`, PROXY],
    ['an entry that is no address', 1, `unknown, ${PROXY}`, PROXY],
    ['an empty header', 1, '', PROXY],
  ])('sees the client with %s', async (_, proxies, forwarded, address) => {
    const { send, seen } = coldEnvironment(proxies);
    await send('ask_good', forwarded);

    expect(seen).toEqual([address]);
  });

  it('counts each client for itself, whatever it writes into the header', async () => {
    const { send } = coldEnvironment(1);
    const flood = (index: number) => send(`ask_bad${index}`, `192.0.2.${index}, ${ATTACKER}, ${PROXY}`);
    for (let index = 0; index < burst; index += 1) expect((await flood(index)).status).toBe(401);

    expect((await flood(burst)).status).toBe(429);
    expect((await send('ask_bad', `${CLIENT}, ${PROXY}`)).status).toBe(401);
    expect((await coldEnvironment(1).send('ask_good', `${ATTACKER}, ${PROXY}`)).status).toBe(200);
  });
});

describe('sourceNetworkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::0:7', '2001:db8:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['test-invoke-source-ip', 'test-invoke-source-ip'],
  ])('of %s is %s', (address, network) => {
    expect(sourceNetworkOf(address)).toBe(network);
  });

  it('has the first four groups that the address library reads', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const parsed = ipaddr.process(address);
        fc.pre(parsed instanceof ipaddr.IPv6);
        const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));

        expect(sourceNetworkOf(address)).toBe(`${groups.join(':')}::/64`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for every address of a /64', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (host) => {
        const groups = [48n, 32n, 16n, 0n].map((shift) => ((host >> shift) & 0xffffn).toString(16));

        expect(sourceNetworkOf(`2001:db8:0:1:${groups.join(':')}`)).toBe('2001:db8:0:1::/64');
      }),
    );
  });
});
