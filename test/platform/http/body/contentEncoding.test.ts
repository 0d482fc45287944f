import { expect, it } from 'vitest';
import { acceptedEncoding } from '../../../../functions/platform/http/body/contentEncoding.ts';

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['BR;q=0.1, gzip;q=1.0', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['identity', null],
  ['gzip;q=2', null],
  ['gzip;q=nonsense', null],
  ['', null],
  [undefined, null],
])('for Accept-Encoding %s the coding is %s', (accepted, encoding) => {
  expect(acceptedEncoding(accepted)).toBe(encoding);
});

it('chooses among the offered codings only', () => {
  expect(acceptedEncoding('br, gzip', ['gzip'])).toBe('gzip');
  expect(acceptedEncoding('br', ['gzip'])).toBeNull();
});
