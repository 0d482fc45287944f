import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRedirectUri, RedirectUri } from '../../schemas/access/oauthClient.ts';

describe('users may come back to', () => {
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
  ])('%s', (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
  });
});

describe('nobody is sent to', () => {
  it.each([
    ['nothing', ''],
    ['a path', '/callback'],
    ['a host alone', 'app.example.com/callback'],
    ['any scheme', '//app.example.com/callback'],
    ['plain http', 'http://app.example.com/callback'],
    ['a host that only begins like the loopback', 'http://localhost.example.com/'],
    ['an address that only begins like the loopback', 'http://127.0.0.1.example.com/'],
    ['another host behind user info', 'http://localhost@evil.example.com/'],
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
    ['one slash, and two further on', 'https:/app.example.com/?next=https://app.example.com'],
    ['a scheme with an empty label', 'com..example.app:/callback'],
    ['backslashes', 'https:\\\\app.example.com\\callback'],
    ['a backslash in the path', 'https://app.example.com\\@evil.example.com/'],
    ['a space', 'https://app.example.com/call back'],
    ['a leading space', ' https://app.example.com/'],
    ['a line break', 'https://app.example.com/\r\nSet-Cookie: a=b'],
    ['a tab that URL readers drop', 'https://app.exa\tmple.com/'],
    ['a soft hyphen', 'https://app.exam\u00adple.com/'],
    ['a host in another script', 'https://аpp.example.com/'],
    ['a quote that closes an attribute', 'https://app.example.com/"onload="x'],
    ['markup', 'https://app.example.com/<script>'],
    ['a template', 'https://app.example.com/{id}'],
    ['a port that is none', 'https://app.example.com:99999/'],
    ['an unclosed address', 'https://[::1/'],
    ['a script', 'javascript:alert(1)'],
    ['a script by host', 'javascript://app.example.com/%0aalert(1)'],
    ['data', 'data:text/html,hello'],
    ['a file', 'file:///etc/passwd'],
    ['a scheme anybody may register', 'myapp:/callback'],
    ['a scheme without an address', 'com.example.app:'],
    ['the address of an unspecified host', 'http://0.0.0.0/'],
  ])('%s', (_, uri) => {
    expect(isRedirectUri(uri)).toBe(false);
  });

  it('what is longer than 512 characters', () => {
    const uri = 'https://app.example.com/'.padEnd(512, 'x');

    expect([uri, `${uri}x`].map((text) => RedirectUri.safeParse(text).success)).toEqual([true, false]);
  });

  it('any text that is neither https, loopback nor a reversed domain name', () => {
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
