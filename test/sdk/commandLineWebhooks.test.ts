import { createServer, type RequestListener } from 'node:http';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../sdk/cli/src/run.ts';
import { type Client, createApiKey, createClient, rotateApiKey } from '../../sdk/typescript/src/index.ts';
import {
  verifyWebhook,
  verifyWebhookEvents,
  type WebhookEvent,
} from '../../sdk/typescript/webhooks/index.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

let instance: Instance;
let keys: { readonly admin: string; readonly ingest: string };
let client: Client;
const opened: { close: () => void }[] = [];

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
  client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: keys.admin } });
});
afterEach(() => {
  for (const { close } of opened.splice(0)) close();
});
afterAll(() => instance?.stop());

/** Serves on a free port until the end of the test. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  opened.push({
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};

/** Starts the command. `stop` is Ctrl-C. */
const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}, now = Date.now) => {
  const text = { out: '', err: '' };
  const sink = (name: 'out' | 'err') =>
    new Writable({
      write: (chunk, _encoding, done) => {
        text[name] += String(chunk);
        done();
      },
    });
  const interruption = new AbortController();
  const code = run(args, {
    env: { ATTRIBUTION_BASE_URL: instance.baseUrl, ATTRIBUTION_API_KEY: keys.admin, ...env },
    stdout: sink('out'),
    stderr: sink('err'),
    readSecret: async () => '',
    signal: interruption.signal,
    now,
  });
  const stop = () => {
    interruption.abort();
    return code;
  };
  opened.push({ close: stop });
  return { text, code, stop };
};
const listen = (...args: string[]) => ['webhooks', 'listen', '--interval', '0.1', ...args];

/** A receiver that answers with `status`, and what it got. */
const receive = async (status: number) => {
  const got: { body: string; signature: string }[] = [];
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    got.push({ body, signature: String(request.headers['service-signature']) });
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  return { got, url };
};

/** Raises an event. Returns the id of the key that it is about. */
const raise = async (): Promise<string> => {
  const { id } = await createApiKey(client, { name: 'Rotated', scopes: ['ingest:write'] });
  await rotateApiKey(client, id, {});
  return id;
};
const WAIT = { timeout: 180_000, interval: 20 };

describe('webhooks listen', () => {
  it('forwards each event once, signed with the secret that it prints, and ends with 0', async () => {
    const before = await raise();
    const { got, url } = await receive(204);
    const { text, stop } = start(listen('--forward-to', `${url}/hook`, '--events', 'apikey.rotated'));
    await expect.poll(() => text.err, WAIT).toContain('Waiting for events');
    const secret = /whsec_\S+/.exec(text.err)?.[0] ?? '';
    const raised: string[] = [];
    // The command starts to forward with its first request.
    await expect
      .poll(async () => {
        if (got.length === 0) raised.push(await raise());
        return got.length;
      }, WAIT)
      .toBeGreaterThan(0);
    raised.push(await raise());
    await expect.poll(() => got.at(-1)?.body, WAIT).toContain(raised.at(-1));

    expect(await stop()).toBe(0);
    const events: WebhookEvent[] = await Promise.all(
      got.map((each) => verifyWebhook(each, { secrets: secret })),
    );
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toContain(before);
    expect(text.out).toMatch(/^\S+ {2}apikey\.rotated {2}evt_\S+ {2}204$/m);
  });

  it('forwards several events in one request with --max-batch-size, of which at most 100', async () => {
    const raised = [await raise(), await raise(), await raise()];
    const from = new Date(Date.now() - 60_000).toISOString();
    const { got, url } = await receive(204);
    const { text, code } = start(
      listen('--from', from, '--once', '--forward-to', url, '--max-batch-size', '2', '--json'),
      { ATTRIBUTION_WEBHOOK_SECRET: 'whsec_own-0123456789abcdef' },
    );

    expect(await code, text.err).toBe(0);
    const batches = await Promise.all(
      got.map((each) => verifyWebhookEvents(each, { secrets: 'whsec_own-0123456789abcdef' })),
    );
    expect(batches.slice(0, -1).every((events) => events.length === 2)).toBe(true);
    const events = batches.flat();
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(raised.every((id) => JSON.stringify(events).includes(id))).toBe(true);
    expect(text.out.trim().split('\n')).toHaveLength(events.length);
    expect(await start(listen('--max-batch-size', '101')).code).toBe(2);
  });

  it('shows events of the past with --from, without a receiver', async () => {
    const before = await raise();
    const from = new Date(Date.now() - 60_000).toISOString();
    const { text, stop } = start(listen('--from', from, '--json'));

    await expect.poll(() => text.out, WAIT).toContain(before);
    expect(await stop()).toBe(0);
    const [first] = text.out.split('\n').map((line) => line && JSON.parse(line));
    expect(first).toMatchObject({ sequence: 1, event: { type: 'apikey.rotated' } });
  });

  it('stops by itself after the events of the past with --once, which needs --from', async () => {
    const before = await raise();
    const from = new Date(Date.now() - 60_000).toISOString();
    const { text, code } = start(listen('--from', from, '--once', '--json'));

    expect(await code).toBe(0);
    expect(text.out).toContain(before);
    expect(await start(listen('--once')).code).toBe(2);
  });

  it('prints what a receiver answers, follows no redirect, and goes on without one', async () => {
    await raise();
    const from = new Date(Date.now() - 60_000).toISOString();
    const { got, url } = await receive(307);
    // Frees its port again.
    const closed = await serve(() => undefined);
    opened.pop()?.close();
    const refusing = start(listen('--from', from, '--forward-to', url));
    const nobody = start(listen('--from', from, '--forward-to', closed));

    await expect.poll(() => refusing.text.out, WAIT).toMatch(/ {2}307$/m);
    await expect.poll(() => nobody.text.out, WAIT).toMatch(/ECONNREFUSED/);
    expect([await refusing.stop(), await nobody.stop()]).toEqual([0, 0]);
    expect(got.length).toBe(refusing.text.out.trim().split('\n').length);
  });

  it('goes on after the service failed, and forwards what was raised meanwhile', async () => {
    let isDown = false;
    let suspended = 0;
    const asked: string[] = [];
    const service = await serve(async (request, response) => {
      if (isDown) return void response.destroy();
      asked.push(request.url ?? '');
      const answer = await fetch(`${instance.baseUrl}${request.url}`, {
        headers: { 'x-api-key': keys.admin },
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    const from = new Date(Date.now() - 60_000).toISOString();
    const env = { ATTRIBUTION_BASE_URL: service };
    const { text, stop } = start(listen('--from', from, '--json'), env, () => Date.now() + suspended);
    const first = await raise();
    await expect.poll(() => text.out, WAIT).toContain(first);
    isDown = true;
    await expect.poll(() => text.err, WAIT).toContain('Trying again.');
    const second = await raise();
    // The machine was suspended for ten minutes.
    suspended = 600_000;
    isDown = false;

    await expect.poll(() => text.out, WAIT).toContain(second);
    // A request that was repeated since before the suspension can show the event first.
    const wide = () => asked.filter((url) => /last_seconds=6\d\d/.test(url));
    await expect.poll(wide, WAIT).toHaveLength(1);
    expect(await stop()).toBe(0);
    expect(text.out.split(first)).toHaveLength(2);
    expect(wide()).toHaveLength(1);
  });

  it('ends when the credential may not list events, or not those of a type', async () => {
    const refused = start(listen(), { ATTRIBUTION_API_KEY: keys.ingest });

    expect(await refused.code).toBe(3);
    expect(refused.text.err).toContain('INSUFFICIENT_SCOPE');
  });

  it.each([
    [['--forward-to', 'localhost:4000'], '--forward-to'],
    [['--forward-to', 'ftp://localhost'], '--forward-to'],
    [['--interval', '0'], '--interval'],
    [['--interval', 'often'], '--interval'],
  ])('%j is an invalid command line', async (args, option) => {
    const { code, text } = start(['webhooks', 'listen', ...args]);

    expect(await code).toBe(2);
    expect(text.err).toContain(option);
  });
});

describe('webhooks trigger', () => {
  it('shows that the endpoint does not exist', async () => {
    const { code, text } = start(['webhooks', 'trigger', 'anomaly.detected', '--endpoint', 'whe_1']);

    expect(await code).toBe(1);
    expect(text.err).toContain('NOT_FOUND');
  });

  it.each([
    [['anomaly.detected'], '--endpoint'],
    [['anomaly.missed', '--endpoint', 'whe_1'], 'budget.threshold.crossed'],
  ])('%j is an invalid command line', async (args, reason) => {
    const { code, text } = start(['webhooks', 'trigger', ...args]);

    expect(await code).toBe(2);
    expect(text.err).toContain(reason);
  });
});
