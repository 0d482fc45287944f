import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { resolveTarget, systemResolver } from '../../../functions/platform/egress/resolution.ts';

const target = { href: '', port: 443, path: '/', trusted: false };

it('returns all addresses of a name from the operating system', async () => {
  const addresses = await systemResolver('localhost');

  expect(addresses.length).toBeGreaterThan(0);
  expect(addresses.every((address) => isIP(address) !== 0)).toBe(true);
});

it('refuses localhost as resolved by the operating system', async () => {
  expect(await resolveTarget({ ...target, host: 'localhost' }, systemResolver)).toEqual({ kind: 'refused' });
});

it('reports unresolved for a name that cannot exist', async () => {
  expect(await resolveTarget({ ...target, host: 'nowhere.invalid' }, systemResolver)).toEqual({
    kind: 'unresolved',
  });
});

it('does not call the resolver for an address', async () => {
  const resolver = () => Promise.reject(new Error('asked'));

  expect(await resolveTarget({ ...target, host: '1.1.1.1' }, resolver)).toEqual({
    kind: 'admitted',
    addresses: ['1.1.1.1'],
  });
});
