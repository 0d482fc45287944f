import { expect, it } from 'vitest';
import { sessionIdOf } from '../../../../functions/identity/access/grants/grant.store.ts';
import {
  expiredSessionCookie,
  readSessionId,
  readTenantId,
  sessionCookie,
  tenantCookie,
} from '../../../../functions/identity/oauth/session/sessionCookie.ts';

const HTTPS = 'https://api.example.com';

it('sets a __Host- cookie that scripts, other sites and plain http never see', () => {
  expect(sessionCookie(HTTPS, 'secret')).toBe(
    '__Host-console-session=secret; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  );
  expect(expiredSessionCookie(HTTPS)).toBe(
    '__Host-console-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
  );
});

it('names the port in the cookie of a local service, because the ports of a host share cookies', () => {
  expect(sessionCookie('http://127.0.0.1:3000', 'secret')).toBe(
    'console-session-3000=secret; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
  );
});

it('reads the session of its own cookie only', () => {
  expect(readSessionId(['a=b', '__Host-console-session=secret'], HTTPS)).toBe(sessionIdOf('secret'));
  for (const cookie of ['console-session=secret', '__Host-console-session=', 'x__Host-console-session=a'])
    expect(readSessionId([cookie], HTTPS)).toBeNull();
});

it('remembers the tenant of the browser, also for the redirect of the identity provider', () => {
  expect(tenantCookie(HTTPS, 'acme')).toBe(
    '__Host-console-tenant=acme; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure',
  );
  expect(readTenantId(['__Host-console-session=secret', '__Host-console-tenant=acme'], HTTPS)).toBe('acme');
  expect(readTenantId(['console-tenant-3000=acme'], 'http://127.0.0.1:3000')).toBe('acme');
  for (const cookie of ['console-tenant=acme', '__Host-console-tenant=', 'x__Host-console-tenant=acme'])
    expect(readTenantId([cookie], HTTPS)).toBeUndefined();
});
