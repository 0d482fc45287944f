import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUrl } from '../../../functions/platform/egress/target.ts';
import { hostileAddresses, hostileAnswers, hostileUrls } from './hostileUrls.ts';
import { stubResolver, testEgress } from './httpsReceiver.ts';

const PUBLIC_ADDRESS = '1.1.1.1';
const DEFAULT_POLICY = { ports: [], allowHosts: [] };

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('a URL is rejected by its text', () => {
  it.each(hostileUrls)('for %s: %s', async (_, url, reason) => {
    const { asked, resolver } = stubResolver([PUBLIC_ADDRESS]);

    const vetted = await testEgress([], { resolver }).vet(url);

    expect(vetted).toEqual({ kind: 'rejected', reason });
    expect(asked).toEqual([]);
  });

  it.each(hostileAddresses)('when its host is an address for %s: %s', async (_, address) => {
    const vetted = await testEgress([]).vet(`https://${bracketed(address)}/hook`);

    expect(vetted).toEqual({ kind: 'rejected', reason: 'address' });
  });

  it('or accepted, without throwing, for any text', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl());
    const around = fc.oneof(
      text,
      text.map((host) => `https://${host}`),
    );

    fc.assert(
      fc.property(around, (url) => ['accepted', 'rejected'].includes(checkUrl(url, DEFAULT_POLICY).kind)),
    );
  });
});

describe('a URL is rejected when its host resolves to', () => {
  it.each(hostileAnswers)('%s: %s', async (_, address) => {
    const vetted = await testEgress([], { resolver: stubResolver([address]).resolver }).vet(
      'https://example.com/',
    );

    expect(vetted).toEqual({ kind: 'rejected', reason: 'address' });
  });

  it.each([
    ['a public and a private one', [PUBLIC_ADDRESS, '10.0.0.1']],
    ['a private and a public one', ['10.0.0.1', PUBLIC_ADDRESS]],
    ['none', []],
  ])('%s addresses', async (_, answers) => {
    const vetted = await testEgress([], { resolver: stubResolver(answers).resolver }).vet(
      'https://example.com/',
    );

    expect(vetted).toEqual({ kind: 'rejected', reason: 'address' });
  });

  it.each(['https://169.254.169.254.nip.io/', 'https://xn--lcalhost-n0a.com/'])(
    'a private address although its text looks harmless: %s',
    async (url) => {
      const { resolver } = stubResolver(['169.254.169.254']);

      expect(await testEgress([], { resolver }).vet(url)).toEqual({ kind: 'rejected', reason: 'address' });
    },
  );

  it.each([
    ['does not resolve', () => Promise.reject(new Error('ENOTFOUND'))],
    ['never answers', () => new Promise<never>(() => {})],
  ])('when it %s', async (_, resolver) => {
    const vetted = await testEgress([], { resolver, deadline: 50 }).vet('https://example.com/');

    expect(vetted).toEqual({ kind: 'rejected', reason: 'unresolved' });
  });
});

describe('a URL is accepted', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.COM/Hook?a=1@b', 'https://example.com/Hook?a=1@b'],
    ['https://example.com.:443/', 'https://example.com/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://under_score.example.com/', 'https://under_score.example.com/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('and normalized: %s', async (url, href) => {
    const { resolver } = stubResolver([PUBLIC_ADDRESS, '2606:4700:4700::1111']);

    expect(await testEgress([], { resolver }).vet(url)).toEqual({ kind: 'accepted', href });
  });

  it('on another port only when the policy allows it', () => {
    const url = 'https://example.com:8443/';

    expect(checkUrl(url, { ports: [8443], allowHosts: [] })).toMatchObject({ kind: 'accepted' });
    expect(checkUrl(url, { ports: [8444], allowHosts: [] })).toMatchObject({ reason: 'port' });
  });

  it('on a local host only when the policy names host and port', () => {
    const policy = { ports: [], allowHosts: ['localhost:9000', '[::1]:9000'] };

    expect(checkUrl('https://localhost:9000/', policy)).toMatchObject({ kind: 'accepted' });
    expect(checkUrl('https://[::1]:9000/', policy)).toMatchObject({ kind: 'accepted' });
    expect(checkUrl('https://localhost:9001/', policy)).toMatchObject({ kind: 'rejected' });
    expect(checkUrl('http://localhost:9000/', policy)).toMatchObject({ reason: 'not_https' });
  });
});
