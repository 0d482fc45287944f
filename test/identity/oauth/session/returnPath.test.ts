import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failurePath, toReturnPath } from '../../../../functions/identity/oauth/session/returnPath.ts';

it.each([
  '/console/',
  '/console/budgets?id=bud_1&tab=past',
  '/console/explore?by=owner,model&from=2026-11-01T00:00Z',
])('returns to %s', (path) => {
  expect(toReturnPath(path)).toBe(path);
});

it.each([
  undefined,
  '',
  '/',
  '/console',
  'https://evil.example/console/',
  '//evil.example/console/',
  '/console/../v1/oauth/authorize',
  '/console/%2e%2e/errors',
  '/console/\\evil.example',
  '/console/a b',
  '/console/\r\nset-cookie:a=b',
  `/console/${'a'.repeat(2_000)}`,
])('returns to the start page instead of %j', (path) => {
  expect(toReturnPath(path)).toBe('/console');
});

it('never leaves the console', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { origin, pathname } = new URL(toReturnPath(`/console/${text}`), 'https://host');
      expect([origin, /^\/console(?:\/|$)/.test(pathname)]).toEqual(['https://host', true]);
    }),
  );
});

it.each([
  ['/console', '/console?sign_in_error=access_denied'],
  ['/console/explore?days=30', '/console/explore?days=30&sign_in_error=access_denied'],
  ['/console/explore?sign_in_error=login_required', '/console/explore?sign_in_error=access_denied'],
])('a failed sign-in leads back to %s with its reason', (path, expected) => {
  expect(failurePath(path, 'access_denied')).toBe(expected);
});
