import { describe, expect, it } from 'vitest';
import { admission } from '../../../local/engines/admission.ts';
import { parseHead } from '../../../local/engines/frontDoor.ts';

const admit = admission({ accessKeyId: 'LOCALKEY' });
const SIGNED =
  'AWS4-HMAC-SHA256 Credential=LOCALKEY/20261125/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';
const head = (headers: Record<string, string | string[]>, url = '/') =>
  admit({ url, headers: { host: '127.0.0.1:4000', ...headers } });

describe('a request to an engine', () => {
  it.each([
    ['a signed header', { authorization: SIGNED }, '/'],
    [
      'a header that names the credential later',
      { authorization: SIGNED.replace(/Credential/, 'SignedHeaders=host, Credential') },
      '/',
    ],
    [
      'a presigned URL',
      {},
      '/bucket/key?X-Amz-Algorithm=a&X-Amz-Credential=LOCALKEY%2F20261125%2Fus-east-1%2Fs3%2Faws4_request',
    ],
    ['localhost', { authorization: SIGNED, host: 'localhost:4000' }, '/'],
    ['the IPv6 loopback', { authorization: SIGNED, host: '[::1]:4000' }, '/'],
  ])('is admitted with the access key of this start: %s', (_, headers, url) => {
    expect(head(headers, url)).toBeNull();
  });

  it.each([
    ['no signature', {}, '/'],
    ['another key', { authorization: SIGNED.replace('LOCALKEY', 'OTHERKEY') }, '/'],
    ['a prefix of the key', { authorization: SIGNED.replace('LOCALKEY', 'LOCALKE') }, '/'],
    ['the key of an earlier version', { authorization: SIGNED.replace('LOCALKEY', 'local') }, '/'],
    ['an empty key', { authorization: SIGNED.replace('LOCALKEY', '') }, '/'],
    ['the key in another scheme', { authorization: 'Bearer LOCALKEY' }, '/'],
    ['the key in another member', { authorization: SIGNED.replace('Credential=', 'xCredential=') }, '/'],
    ['the key in another parameter', {}, '/?xX-Amz-Credential=LOCALKEY%2F1'],
    ['an Origin', { authorization: SIGNED, origin: 'https://evil.example' }, '/'],
    ['an opaque Origin', { authorization: SIGNED, origin: 'null' }, '/'],
    ['an empty Origin', { authorization: SIGNED, origin: '' }, '/'],
    ['an Origin of this machine', { authorization: SIGNED, origin: 'http://127.0.0.1:4000' }, '/'],
    ['the name of another site', { authorization: SIGNED, host: 'rebound.example:4000' }, '/'],
    ['a name that begins with localhost', { authorization: SIGNED, host: 'localhost.evil.example' }, '/'],
    ['two hosts', { authorization: SIGNED, host: ['127.0.0.1', 'evil.example'] }, '/'],
    ['no host', { authorization: SIGNED, host: [] }, '/'],
  ])('is refused with %s', (_, headers, url) => {
    expect(head(headers, url)).toEqual({
      code: expect.stringMatching(/^(?:AccessDenied|InvalidAccessKeyId)$/),
      message: expect.any(String),
    });
  });
});

describe('the head of a request', () => {
  it('has every value of a repeated header, whatever its case', () => {
    expect(parseHead('POST / HTTP/1.1\r\nHost: a\r\nhost:b\r\nOrigin:')).toEqual({
      url: '/',
      headers: { host: ['a', 'b'], origin: [''] },
    });
  });

  it('keeps names that objects have', () => {
    expect(parseHead('GET /x HTTP/1.1\r\n__proto__: a\r\nconstructor: b')?.url).toBe('/x');
  });

  it.each([
    ['HTTP/1.0', 'GET / HTTP/1.0\r\nhost: a'],
    ['no request line', 'host: a'],
    ['a folded header', 'GET / HTTP/1.1\r\nhost: a\r\n b'],
    ['a space before the colon', 'GET / HTTP/1.1\r\norigin : a'],
    ['a bare line feed', 'GET / HTTP/1.1\r\nhost: a\norigin: b'],
    ['an empty name', 'GET / HTTP/1.1\r\n: a'],
  ])('is none with %s', (_, text) => {
    expect(parseHead(text)).toBeNull();
  });
});
