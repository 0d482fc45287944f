import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLookup, type LookupOptions } from '../../sdk/typescript/lookup/index.ts';
import { type AttributionLookup, createClient } from '../../sdk/typescript/src/index.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const SIGNALS = { attributed_identity: 'ann', provider: 'openai' };

type Answer = () => Response | Promise<Response>;
const owned =
  (owner: string): Answer =>
  () =>
    Response.json({
      owner,
      budgets: [],
      as_of: '2026-11-23T04:00:00.000Z',
    } satisfies Partial<AttributionLookup>);
const failed =
  (status: number): Answer =>
  () =>
    Response.json({ error_code: 'INTERNAL_ERROR' }, { status });
const refused: Answer = () => Promise.reject(new TypeError('fetch failed'));
const hung: Answer = () => new Promise(() => undefined);

/** A lookup whose requests get one answer after the other, the last one again and again. */
const lookupWith = (answers: readonly Answer[], options: Partial<LookupOptions> = {}) => {
  const time = { now: 1_000_000 };
  const urls: string[] = [];
  const started: Promise<unknown>[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com',
    credential: { apiKey: 'key' },
    fetch: async (url) => {
      urls.push(String(url));
      return (answers[Math.min(urls.length, answers.length) - 1] ?? refused)();
    },
  });
  const lookup = createLookup({
    client,
    timeoutMs: 20,
    now: () => time.now,
    waitUntil: (work) => started.push(work),
    ...options,
  });
  return { lookup, time, urls, settled: () => Promise.all(started) };
};

describe('the lookup of a client', () => {
  it('asks once for the same signals in any order, also for concurrent calls', async () => {
    const { lookup, urls } = lookupWith([owned('team-search')], { timeoutMs: 5_000 });

    const found = await Promise.all([
      lookup(SIGNALS),
      lookup({ provider: 'openai', attributed_identity: 'ann' }),
    ]);

    expect(found.map((answer) => answer?.owner)).toEqual(['team-search', 'team-search']);
    expect((await lookup(SIGNALS))?.owner).toBe('team-search');
    expect(urls).toEqual(['https://api.example.com/api/v1/lookup?attributed_identity=ann&provider=openai']);
  });

  it('returns a stale answer at once while a request renews it', async () => {
    const { lookup, time, urls, settled } = lookupWith([owned('team-a'), owned('team-b')], {
      timeoutMs: 5_000,
    });
    await lookup(SIGNALS);
    time.now += 30_000;

    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
    await settled();
    expect((await lookup(SIGNALS))?.owner).toBe('team-b');
    expect(urls).toHaveLength(2);
  });

  it('uses a stale answer while the service is down, for at most ten minutes', async () => {
    const { lookup, time, settled } = lookupWith([owned('team-a'), refused], { timeoutMs: 5_000 });
    await lookup(SIGNALS);
    time.now += 599_999;
    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
    await settled();

    time.now += 1;
    expect(await lookup(SIGNALS)).toBeNull();
  });

  it.each([
    ['503', failed(503)],
    ['429', failed(429)],
    ['a credential that is refused', failed(403)],
    ['no connection', refused],
    ['a page of a proxy', () => new Response('<html>')],
    ['JSON that is not from the service', () => Response.json({ owner: 'x' })],
  ])('returns null after %s, and sends no request until the pause ends', async (_, answer) => {
    const { lookup, time, urls } = lookupWith([answer, owned('team-a')], { timeoutMs: 5_000 });

    expect(await lookup(SIGNALS)).toBeNull();
    expect(await lookup({ attributed_identity: 'bob' })).toBeNull();
    expect(urls).toHaveLength(1);
    time.now += 1_000;
    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
  });

  it('doubles the pause after each failure, up to 30 seconds', async () => {
    const { lookup, time, urls } = lookupWith([refused], { timeoutMs: 5_000 });
    for (const pause of [1, 2, 4, 8, 16, 30, 30]) {
      await lookup(SIGNALS);
      const before = urls.length;
      time.now += pause * 1_000 - 1;
      await lookup(SIGNALS);
      expect(urls).toHaveLength(before);
      time.now += 1;
    }
  });

  it('counts requests that failed together as one failure', async () => {
    const { lookup, time, urls } = lookupWith([refused], { timeoutMs: 5_000 });
    await Promise.all(['a', 'b', 'c'].map((attributed_identity) => lookup({ attributed_identity })));

    time.now += 1_000;
    await lookup(SIGNALS);
    expect(urls).toHaveLength(4);
  });

  it('returns null for signals that the service refuses, and still asks for others', async () => {
    const { lookup, urls } = lookupWith([failed(400), owned('team-a')], { timeoutMs: 5_000 });

    expect(await lookup({ spiffe_id: 'none' })).toBeNull();
    expect(await lookup({ spiffe_id: 'none' })).toBeNull();
    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
    expect(urls).toHaveLength(2);
  });

  it('returns null in time while the service hangs, with at most eight open requests', async () => {
    const { lookup, urls } = lookupWith([hung]);

    const found = await Promise.all(
      Array.from({ length: 100 }, (_, index) => lookup({ attributed_identity: `person ${index}` })),
    );

    expect(found.every((answer) => answer === null)).toBe(true);
    expect(urls).toHaveLength(8);
  });

  it('has the answer of a slow request for the next call', async () => {
    let answer: (response: Response) => void = () => undefined;
    const slow = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const { lookup, settled } = lookupWith([() => slow]);
    expect(await lookup(SIGNALS)).toBeNull();

    answer(await owned('team-a')());
    await settled();
    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
  });

  it('never waits with a time-out of 0: the first call starts the request', async () => {
    const { lookup, settled } = lookupWith([owned('team-a')], { timeoutMs: 0 });

    expect(await lookup(SIGNALS)).toBeNull();
    await settled();
    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
  });

  it('keeps the answers that were set last, up to its capacity', async () => {
    const { lookup, urls } = lookupWith([owned('team-a')], { timeoutMs: 5_000, capacity: 2 });
    for (const attributed_identity of ['a', 'b', 'c', 'a']) await lookup({ attributed_identity });

    expect(urls).toHaveLength(4);
    await lookup({ attributed_identity: 'c' });
    expect(urls).toHaveLength(4);
  });

  it('never rejects: neither for signals that are none nor for a faulty callback', async () => {
    const { lookup } = lookupWith([owned('team-a')], {
      timeoutMs: 5_000,
      waitUntil: () => {
        throw new Error('outside of a request');
      },
    });

    expect((await lookup(SIGNALS))?.owner).toBe('team-a');
    expect(await lookup(JSON.parse('null'))).toBeNull();
  });
});

describe('the lookup over a running service', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await sharedInstance();
  });
  afterAll(() => instance.stop());

  it('returns the owner and the evidence card of a call', async () => {
    const { acme } = demoTenants(instance.credentials);
    const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: acme.api_keys.admin } });
    const lookup = createLookup({ client, timeoutMs: 5_000 });

    expect(await lookup({ attributed_identity: 'someone-new', attributed_service: 'search' })).toMatchObject({
      owner: 'someone-new',
      service: 'search',
      interpretation: { stage_origin: 'stage_a' },
    });
  });
});
