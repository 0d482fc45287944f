import { afterAll, expect, it } from 'vitest';
import { sharedInstance } from '../support/sharedInstance.ts';

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${instance.baseUrl}${path}`, { headers, redirect: 'manual' });

const instance = await sharedInstance();
const html = await (await get('/console')).text();
afterAll(() => instance.stop());

it.each(['/console', '/console?tab=1', '/console/budgets?id=1', '/console/records/att_1'])(
  'serves the page at %s, and asks for a new one each time',
  async (path) => {
    const page = await get(path);

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toBe(html);
    const again = await get(path, { 'if-none-match': page.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  },
);

it.each([
  ['in a list', (etag: string) => `"other", ${etag}`],
  ['as a strong validator', (etag: string) => etag.replace('W/', '')],
])('returns 304 for a page that the browser has, named %s', async (_, named) => {
  const { headers } = await get('/console');
  const again = await get('/console', { 'if-none-match': named(headers.get('etag') ?? '') });

  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('names each method once for an address that pages and the session share', async () => {
  const refused = await fetch(`${instance.baseUrl}/console/session`, { method: 'POST' });

  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
});

it('redirects the address with a slash, with its query', async () => {
  const redirect = await get('/console/?sign_in_error=access_denied');

  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    302,
    '/console?sign_in_error=access_denied',
  ]);
});

it('forbids inline code, foreign code, frames and forms on every page', async () => {
  const { headers } = await get('/console');
  const policy = headers.get('content-security-policy') ?? '';

  expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy.split('; ')).toContain(directive);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=|style=/);
});

it('serves every file that the page names, those with a hash for a year', async () => {
  const paths = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path = '']) => path);

  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const file = await get(path);
    expect([path, file.status]).toEqual([path, 200]);
    expect(file.headers.get('cache-control')).toBe(
      path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  }
});

it('sends the coding that the browser prefers', async () => {
  const path = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const fetched = async (encoding: string) => {
    const file = await get(path, { 'accept-encoding': encoding });
    const { headers } = file;
    return {
      encoding: headers.get('content-encoding'),
      bytes: Number(headers.get('content-length')),
      text: await file.text(),
    };
  };
  const [plain, gzip, brotli] = [await fetched('identity'), await fetched('gzip'), await fetched('gzip, br')];

  expect([plain.encoding, gzip.encoding, brotli.encoding]).toEqual([null, 'gzip', 'br']);
  expect([gzip.text, brotli.text]).toEqual([plain.text, plain.text]);
  expect(brotli.bytes).toBeLessThan(gzip.bytes);
  expect(gzip.bytes).toBeLessThan(plain.bytes / 2);
});

it.each([
  '/console/assets/missing.js',
  '/console/files.json',
  '/console/%2e%2e/index.mjs',
  '/console/..%2findex.mjs',
])('returns 404 for %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});
