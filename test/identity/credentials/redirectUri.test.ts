import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRedirectUri, RedirectUri } from '../../../schemas/identity/oauthClient.ts';

describe('isRedirectUri', () => {
  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/callback?tenant=acme&x=%2F',
    'https://xn--bcher-kva.example/zurueck',
    'https://203.0.113.7/callback',
    'http://localhost/callback',
    'http://localhost:3000/callback',
    'http://127.0.0.1:53412/',
    'http://[::1]:53412/callback',
    'com.example.app:/oauth',
    'com.example.app://oauth/callback',
    'io.example-app.v2:/callback?x=1',
  ])('accepts %s', (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
  });

  it.each([
    ['an empty text', ''],
    ['a path', '/callback'],
    ['a host without a scheme', 'app.example.com/callback'],
    ['a scheme-relative URI', '//app.example.com/callback'],
    ['plain http', 'http://app.example.com/callback'],
    ['a host name that starts with localhost', 'http://localhost.example.com/'],
    ['a host name that starts with 127.0.0.1', 'http://127.0.0.1.example.com/'],
    ['localhost as user info of another host', 'http://localhost@evil.example.com/'],
    ['user info', 'https://user@app.example.com/'],
    ['user info with a password', 'https://user:secret@app.example.com/'],
    ['empty user info with a password', 'https://:secret@app.example.com/'],
    ['a fragment', 'https://app.example.com/#callback'],
    ['an empty fragment', 'https://app.example.com/callback#'],
    ['a pattern of hosts', 'https://*.example.com/callback'],
    ['a pattern of paths', 'https://app.example.com/*'],
    ['no host', 'https:///callback'],
    ['no slashes', 'https:app.example.com/callback'],
    ['one slash', 'https:/app.example.com/callback'],
    [
      'one slash after the scheme and two in the query',
      'https:/app.example.com/?next=https://app.example.com',
    ],
    ['a scheme with an empty label', 'com..example.app:/callback'],
    ['backslashes', 'https:\\\\app.example.com\\callback'],
    ['a backslash in the path', 'https://app.example.com\\@evil.example.com/'],
    ['a space', 'https://app.example.com/call back'],
    ['a leading space', ' https://app.example.com/'],
    ['a line break', 'https://app.example.com/\r\nSet-Cookie: a=b'],
    ['a tab, which URL parsers remove', 'https://app.exa\tmple.com/'],
    ['a soft hyphen', 'https://app.exam\u00adple.com/'],
    ['a host in another script', 'https://аpp.example.com/'],
    ['a quote that closes an attribute', 'https://app.example.com/"onload="x'],
    ['markup', 'https://app.example.com/<script>'],
    ['a template', 'https://app.example.com/{id}'],
    ['an invalid port', 'https://app.example.com:99999/'],
    ['an unclosed IPv6 address', 'https://[::1/'],
    ['a javascript URI', 'javascript:alert(1)'],
    ['a javascript URI with a host', 'javascript://app.example.com/%0aalert(1)'],
    ['a data URI', 'data:text/html,hello'],
    ['a file URI', 'file:///etc/passwd'],
    ['a custom scheme without a domain name', 'myapp:/callback'],
    ['a custom scheme without a path', 'com.example.app:'],
    ['the unspecified address', 'http://0.0.0.0/'],
  ])('rejects %s', (_, uri) => {
    expect(isRedirectUri(uri)).toBe(false);
  });

  it('is limited to 512 characters by the schema RedirectUri', () => {
    const uri = 'https://app.example.com/'.padEnd(512, 'x');

    expect([uri, `${uri}x`].map((text) => RedirectUri.safeParse(text).success)).toEqual([true, false]);
  });

  it('accepts only https, loopback and reversed domain names, without fragment and user info', () => {
    const text = fc.oneof(
      fc.webUrl({ withFragments: true, validSchemes: ['http', 'https', 'ftp'] }),
      fc.string(),
    );

    fc.assert(
      fc.property(text, (uri) => {
        fc.pre(isRedirectUri(uri));
        const { protocol, hash, username } = new URL(uri);

        expect(protocol === 'https:' || protocol.includes('.')).toBe(true);
        expect([hash, username]).toEqual(['', '']);
        expect(uri).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });
});
