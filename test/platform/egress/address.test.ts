import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPublicAddress, isSameAddress } from '../../../functions/platform/egress/address.ts';
import { hostileAnswers } from './hostileUrls.ts';

it.each(hostileAnswers)('rejects as not public: %s, %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'])(
  'accepts as public: %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it('rejects every IPv6 address outside 2000::/3', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(address.startsWith('::') ? '0' : address, 16);

      fc.pre(first < 0x2000 || first > 0x3fff);

      expect(isPublicAddress(address)).toBe(false);
    }),
  );
});

it('never throws for any text', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === 'boolean'));
});

it.each([
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['127.0.0.1', '::ffff:127.0.0.1', false],
  ['', '', false],
])('compares addresses independently of their spelling: %s and %s are equal: %s', (one, other, same) => {
  expect(isSameAddress(one, other)).toBe(same);
});
