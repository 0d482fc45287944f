import { Socket } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultEgressLimits, egress } from '../../../functions/platform/egress/egress.ts';
import { httpsRequest } from '../../../functions/platform/egress/httpsRequest.ts';
import { hostileAnswers, hostileUrls } from './hostileUrls.ts';
import {
  LOOPBACK,
  message,
  RECEIVER,
  startReceiver,
  stubResolver,
  testEgress,
  trustedAuthority,
} from './httpsReceiver.ts';

const connect = vi.spyOn(Socket.prototype, 'connect');
beforeEach(() => {
  connect.mockClear();
});

/** An egress client that checks every address, on an allowed port, and trusts the receiver's certificate. */
const egressWithAnswers = (port: number, ...answers: readonly (readonly string[])[]) => {
  const { asked, resolver } = stubResolver(...answers);
  const out = egress({
    policy: { ports: [port], allowHosts: [] },
    resolver,
    now: () => 0,
    limits: { ...defaultEgressLimits, deadline: 200 },
    ca: trustedAuthority.cert,
  });
  return { asked, out, url: `https://${RECEIVER}:${port}/` };
};

describe('post does not connect', () => {
  it.each(hostileUrls)('for %s: %s', async (_, url) => {
    const outcome = await testEgress([]).post(url, message());

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'refused_url' });
    expect(connect).not.toHaveBeenCalled();
  });

  it.each(hostileAnswers)('when the name resolves to %s: %s', async (_, address) => {
    const { out, url } = egressWithAnswers(443, [address]);

    const outcome = await out.post(url, message());

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'refused_address' });
    expect(connect).not.toHaveBeenCalled();
  });

  it.each([
    ['a public one first', ['1.1.1.1', LOOPBACK]],
    ['a public one last', [LOOPBACK, '1.1.1.1']],
    ['none', []],
  ])('when the answers are mixed, or none: %s', async (_, answers) => {
    const { out, url } = egressWithAnswers(443, answers);

    expect(await out.post(url, message())).toMatchObject({ failure: 'refused_address' });
    expect(connect).not.toHaveBeenCalled();
  });

  it('when a name that was public at registration now resolves to loopback', async () => {
    const there = await startReceiver();
    const { out, url } = egressWithAnswers(there.port, ['1.1.1.1'], [LOOPBACK]);

    const vetted = await out.vet(url);
    const outcome = await out.post(url, message());

    expect(vetted.kind).toBe('accepted');
    expect(outcome).toMatchObject({ failure: 'refused_address' });
    expect(there.connections()).toBe(0);
  });

  it('when the name does not resolve', async () => {
    const out = testEgress([], { resolver: () => Promise.reject(new Error('SERVFAIL')) });

    expect(await out.post('https://example.com/', message())).toMatchObject({ failure: 'dns' });
    expect(connect).not.toHaveBeenCalled();
  });

  it('when the message is larger than any event', async () => {
    const body = Buffer.alloc(260 * 1_024 + 1);

    const outcome = await testEgress([443]).post(`https://${RECEIVER}/`, { headers: {}, body });

    expect(outcome).toMatchObject({ failure: 'too_large' });
    expect(connect).not.toHaveBeenCalled();
  });
});

describe('DNS rebinding', () => {
  it('to a private address after the registration refuses the call without a connection', async () => {
    const there = await startReceiver();
    const { resolver } = stubResolver(['93.184.215.14'], [LOOPBACK], ['93.184.215.14', LOOPBACK]);
    const out = testEgress([], { resolver });
    const url = 'https://rebinding.example.com/';

    expect(await out.vet(url)).toMatchObject({ kind: 'accepted' });
    expect(await out.post(url, message())).toMatchObject({ kind: 'failed', failure: 'refused_address' });
    expect(await out.post(url, message())).toMatchObject({ kind: 'failed', failure: 'refused_address' });
    expect(there.connections()).toBe(0);
  });

  it('has no effect: a name is resolved once per delivery, and the call connects to that address', async () => {
    const there = await startReceiver();
    const { asked, resolver } = stubResolver([LOOPBACK], ['127.0.0.2']);
    const out = testEgress([there.port], { resolver });
    const url = `https://${RECEIVER}:${there.port}/`;

    const first = await out.post(url, message());
    const second = await out.post(url, message());

    expect(first).toMatchObject({ kind: 'answered' });
    expect(second).toMatchObject({ kind: 'failed', failure: 'connect' });
    expect(asked).toEqual([RECEIVER, RECEIVER]);
    expect(there.connections()).toBe(1);
  });

  it('has no effect through open connections, because they are not reused', async () => {
    const there = await startReceiver((response) => response.setHeader('connection', 'keep-alive').end());
    const out = testEgress([there.port]);

    await out.post(`https://${RECEIVER}:${there.port}/`, message());
    await out.post(`https://${RECEIVER}:${there.port}/`, message());

    expect(there.connections()).toBe(2);
  });
});

it('sends nothing over a connection to an address that was not checked', async () => {
  const there = await startReceiver(undefined, trustedAuthority.issue([LOOPBACK]));
  const target = { href: '', host: LOOPBACK, port: there.port, path: '/', trusted: false };
  const options = {
    bounds: defaultEgressLimits,
    signal: AbortSignal.timeout(5_000),
    ca: trustedAuthority.cert,
  };

  const elsewhere = await httpsRequest(target, ['1.1.1.1'], { method: 'POST', ...message() }, options);
  const received = [...there.requests, ...there.servernames];
  const here = await httpsRequest(target, [LOOPBACK], { method: 'POST', ...message() }, options);

  expect(elsewhere).toEqual({ kind: 'failed', failure: 'refused_address', status: null });
  expect(received).toEqual([]);
  expect(here.kind).toBe('answered');
});
