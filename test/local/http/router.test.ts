import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRouter } from '../../../local/http/router.ts';

const KEYS = [
  'GET /items',
  'GET /items/{id}',
  'ANY /items/{id}',
  'GET /items/fixed',
  'POST /items/{id}/parts/{part}',
  'GET /files/{path+}',
  'GET /files/{folder}/index',
  'DELETE /other/fixed',
  'GET /other/{id}',
];

const router = (keys: string[]) => createRouter(keys.map((routeKey) => ({ routeKey, target: routeKey })));
const matchedKey = (keys: string[], method: string, path: string) => router(keys)(method, path)?.routeKey;

describe('the router', () => {
  test.each([
    ['GET', '/items', 'GET /items'],
    ['GET', '/items/fixed', 'GET /items/fixed'],
    ['GET', '/items/7', 'GET /items/{id}'],
    ['PUT', '/items/7', 'ANY /items/{id}'],
    ['PUT', '/items/fixed', 'ANY /items/{id}'],
    ['POST', '/items/7/parts/9', 'POST /items/{id}/parts/{part}'],
    ['GET', '/files/a/b/c', 'GET /files/{path+}'],
    ['GET', '/files/a/index', 'GET /files/{folder}/index'],
    ['GET', '/other/fixed', 'GET /other/{id}'],
  ])('routes %s %s to %s', (method, path, expected) => {
    expect(matchedKey(KEYS, method, path)).toBe(expected);
  });

  test.each([
    ['POST', '/items'],
    ['GET', '/items/'],
    ['GET', '/items/7/parts'],
    ['GET', '/files/'],
    ['GET', '/'],
    ['GET', ''],
  ])('returns no route for %s %s', (method, path) => {
    expect(matchedKey(KEYS, method, path)).toBeUndefined();
  });

  test('returns $default only when no other route matches', () => {
    expect(matchedKey([...KEYS, '$default'], 'GET', '/items/7')).toBe('GET /items/{id}');
    expect(matchedKey([...KEYS, '$default'], 'PATCH', '/nowhere')).toBe('$default');
  });

  test('prefers a full match to a greedy match that starts with a fixed segment', () => {
    expect(matchedKey(['GET /a/{rest+}', 'GET /{x}/b'], 'GET', '/a/b')).toBe('GET /{x}/b');
  });

  test('decodes any path parameter to its original value', () => {
    const route = router(['GET /a/{one}/{rest+}']);
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (one, rest) => {
          const path = `/a/${encodeURIComponent(one)}/${encodeURIComponent(rest)}`;
          expect(route('GET', path)?.parameters).toEqual({ one, rest });
        },
      ),
    );
  });
});
