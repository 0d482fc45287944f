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
const chosen = (keys: string[], method: string, path: string) => router(keys)(method, path)?.routeKey;

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
  ])('sends %s %s to %s', (method, path, expected) => {
    expect(chosen(KEYS, method, path)).toBe(expected);
  });

  test.each([
    ['POST', '/items'],
    ['GET', '/items/'],
    ['GET', '/items/7/parts'],
    ['GET', '/files/'],
    ['GET', '/'],
    ['GET', ''],
  ])('knows no route for %s %s', (method, path) => {
    expect(chosen(KEYS, method, path)).toBeUndefined();
  });

  test('falls back to $default last', () => {
    expect(chosen([...KEYS, '$default'], 'GET', '/items/7')).toBe('GET /items/{id}');
    expect(chosen([...KEYS, '$default'], 'PATCH', '/nowhere')).toBe('$default');
  });

  test('prefers a full match to a greedy one that begins with a fixed segment', () => {
    expect(chosen(['GET /a/{rest+}', 'GET /{x}/b'], 'GET', '/a/b')).toBe('GET /{x}/b');
  });

  test('gives back any parameter as it was before it was encoded', () => {
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
