import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { authority } from './certificates.ts';
import { message, RECEIVER, startReceiver, testEgress, trustedAuthority } from './httpsReceiver.ts';

const urlOf = (port: number, path = '/') => `https://${RECEIVER}:${port}${path}`;

describe('a message', () => {
  it('arrives unchanged, with the host name in the Host header and in SNI', async () => {
    const there = await startReceiver((response) => response.writeHead(201).end('{"ok":true}'));

    const outcome = await testEgress([there.port]).post(
      urlOf(there.port, '/hook?a=1'),
      message('{"é":"\\u00e9"}'),
    );

    expect(outcome).toMatchObject({ kind: 'answered', status: 201, truncated: false, retryAfter: null });
    expect(outcome.kind === 'answered' && Buffer.from(outcome.body).toString()).toBe('{"ok":true}');
    expect(there.requests).toMatchObject([
      { path: '/hook?a=1', headers: { host: `${RECEIVER}:${there.port}`, 'x-test': 'yes' } },
    ]);
    expect(there.requests[0]?.body.toString()).toBe('{"é":"\\u00e9"}');
    expect(there.requests[0]?.headers).not.toHaveProperty('accept-encoding');
    expect(there.servernames).toEqual([RECEIVER]);
  });

  it('of the maximum size arrives complete', async () => {
    const there = await startReceiver();
    const body = Buffer.alloc(260 * 1_024, 'a');

    await testEgress([there.port]).post(urlOf(there.port), { headers: {}, body });

    expect(there.requests[0]?.body.equals(body)).toBe(true);
  });

  it.each([400, 410, 429, 500, 503])('answered with %d gives that status and Retry-After', async (status) => {
    const there = await startReceiver((response) => response.writeHead(status, { 'retry-after': '7' }).end());

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'answered', status, retryAfter: '7' });
  });
});

describe('a read', () => {
  it('sends the headers and no body, and returns the response', async () => {
    const there = await startReceiver((response) => response.end('{"ok":true}'));

    const outcome = await testEgress([there.port]).get(urlOf(there.port, '/costs?page=2'), {
      'x-api-key': 'a key',
    });

    expect(outcome).toMatchObject({ kind: 'answered', status: 200, truncated: false });
    expect(outcome.kind === 'answered' && Buffer.from(outcome.body).toString()).toBe('{"ok":true}');
    const [request] = there.requests;
    expect(request).toMatchObject({ path: '/costs?page=2', headers: { 'x-api-key': 'a key' } });
    expect(request?.headers).not.toHaveProperty('content-length');
    expect(request?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('is refused for a host that resolves to a private address', async () => {
    const outcome = await testEgress([]).get('https://costs.example/', {});

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'refused_address' });
  });
});

describe('a redirect is not followed:', () => {
  it.each([300, 301, 302, 303, 304, 307, 308])('%d', async (status) => {
    const elsewhere = await startReceiver();
    const there = await startReceiver((response) =>
      response.writeHead(status, { location: urlOf(elsewhere.port) }).end(),
    );

    const outcome = await testEgress([there.port, elsewhere.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'redirect', status });
    expect(elsewhere.connections()).toBe(0);
  });
});

it('ignores proxy settings of the environment', async () => {
  const proxy = await startReceiver();
  const there = await startReceiver();
  const address = `http://127.0.0.1:${proxy.port}`;

  const { stdout } = await promisify(execFile)(
    execPath,
    ['test/platform/egress/proxied.child.ts', RECEIVER, String(there.port), trustedAuthority.cert],
    { env: { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: address, https_proxy: address, ALL_PROXY: address } },
  );

  expect(stdout).toBe('answered');
  expect([proxy.connections(), there.connections()]).toEqual([0, 1]);
});

describe('a call fails with tls for a certificate', () => {
  const unknownAuthority = authority('Unknown authority');
  const names = {
    'of another host': trustedAuthority.issue(['other.example']),
    'of its address only': trustedAuthority.issue(['127.0.0.1']),
    'that has expired': trustedAuthority.issue([RECEIVER], Date.now() - 1_000),
    'of an unknown authority': unknownAuthority.issue([RECEIVER]),
  };

  it.each(Object.entries(names))('%s', async (_, identity) => {
    const there = await startReceiver(undefined, identity);

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'tls' });
    expect(there.requests).toEqual([]);
  });

  it('of the test authority, when only public authorities are trusted', async () => {
    const there = await startReceiver();

    const outcome = await testEgress([there.port], { ca: null }).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ failure: 'tls' });
  });

  it('of an unknown authority, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const there = await startReceiver(undefined, unknownAuthority.issue([RECEIVER]));

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());
    vi.unstubAllEnvs();

    expect(outcome).toMatchObject({ failure: 'tls' });
  });
});
