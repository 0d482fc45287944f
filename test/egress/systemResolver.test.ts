import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { resolveTarget, systemResolver } from '../../functions/egress/resolution.ts';

const target = { href: '', port: 443, path: '/', trusted: false };

it('asks the machine for all addresses of a name', async () => {
  const addresses = await systemResolver('localhost');

  expect(addresses.length).toBeGreaterThan(0);
  expect(addresses.every((address) => isIP(address) !== 0)).toBe(true);
});

it('is judged like any other', async () => {
  expect(await resolveTarget({ ...target, host: 'localhost' }, systemResolver)).toEqual({ kind: 'refused' });
});

it('does not resolve a name that can never exist', async () => {
  expect(await resolveTarget({ ...target, host: 'nowhere.invalid' }, systemResolver)).toEqual({
    kind: 'unresolved',
  });
});

it('is not asked for an address', async () => {
  const resolver = () => Promise.reject(new Error('asked'));

  expect(await resolveTarget({ ...target, host: '1.1.1.1' }, resolver)).toEqual({
    kind: 'admitted',
    addresses: ['1.1.1.1'],
  });
});
