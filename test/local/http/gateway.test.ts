import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Gateway, type InvokeRoute, openGateway } from '../../../local/http/gateway.ts';

let gateway: Gateway;

beforeEach(async () => {
  gateway = await openGateway(0);
});

afterEach(() => {
  gateway.stop();
});

const route = (timeoutMs = 30_000) => ({
  id: 'api',
  routes: [{ routeKey: 'GET /it', functionArn: 'arn', timeoutMs }],
});
const respond: InvokeRoute = async () => ({ ok: true, payload: '{"statusCode":200,"body":"done"}' });

describe('the gateway', () => {
  test('holds a request until the functions are ready', async () => {
    const early = fetch(`${gateway.url}/it`);
    await expect.poll(() => gateway.active).toBe(1);
    gateway.serve(route(), () => respond);
    expect(await (await early).text()).toBe('done');
    await gateway.drain();
  });

  test('returns 503 after the integration timeout', async () => {
    gateway.serve(route(20), () => () => new Promise(() => {}));
    const late = await fetch(`${gateway.url}/it`);
    expect([late.status, await late.json()]).toEqual([503, { message: 'Service Unavailable' }]);
    await gateway.drain();
  });

  test('returns 429 above the throttle of the stage', async () => {
    const throttle = { requestsPerSecond: 0.001, burst: 2 };
    gateway.serve({ ...route(), throttle }, () => respond);
    const replies = [];
    for (let sent = 0; sent < 3; sent += 1) replies.push(await fetch(`${gateway.url}/it`));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await replies[2]?.json()).toEqual({ message: 'Too Many Requests' });
    await gateway.drain();
  });

  test('finishes active requests during a drain, and accepts no new requests', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    gateway.serve(route(), () => async (...call) => {
      await finished;
      return respond(...call);
    });
    const active = fetch(`${gateway.url}/it`);
    await expect.poll(() => gateway.active).toBe(1);
    const drained = gateway.drain();
    const rejected = fetch(`${gateway.url}/it`);
    await expect(rejected).rejects.toThrow();
    finish();
    expect(await (await active).text()).toBe('done');
    await drained;
  });
});
