import { afterAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../schemas/tenants/sandbox.ts';
import { type Request, someEvent } from '../support/client.ts';
import { deploymentOf } from '../support/localService.ts';
import { IDLE, sandboxesOf } from '../support/sandboxes.ts';
import { startAdminInstance } from './adminInstance.ts';

const SANDBOX = '/api/v1/sandbox';
const RESET = `${SANDBOX}/reset`;

const api = await startAdminInstance();
afterAll(() => api.stop());

const newSandbox = async (tenantId: string): Promise<string> => {
  const input = { tenantId, name: tenantId, plan: 'enterprise', residency: [], sandbox: true } as const;
  return api.administration.issueKey(await api.administration.open(input), 'admin');
};
const idleSandbox = async (tenantId: string): Promise<string> => {
  const key = await newSandbox(tenantId);
  await sandboxesOf(await deploymentOf(api.instance)).replace(tenantId, IDLE);
  return key;
};

describe('a tenant that was not created as a sandbox', () => {
  const requests: readonly [string, Request][] = [
    [SANDBOX, {}],
    [SANDBOX, { method: 'PATCH', body: { live_traffic: true } }],
    [RESET, { method: 'POST', body: {} }],
  ];

  it.each(requests)('gets CONFLICT from %s, and keeps its data', async (path, request) => {
    const answer = await api.send(path, request);

    expect(answer.status, answer.text).toBe(409);
    expect(answer.body).toMatchObject({ error_code: 'CONFLICT' });
    expect((await api.send('/api/v1/tenant')).body).toMatchObject({ sandbox: false });
  });

  it('gets CONFLICT when only its settings say that it is one', async () => {
    const { key } = await api.newTenant('pretender', { sandbox: true });

    expect((await api.send(RESET, { key, method: 'POST', body: {} })).status).toBe(409);
  });

  it('cannot become one through its settings', async () => {
    const { key } = await api.newTenant('applicant');

    const answer = await api.send('/api/v1/tenant', { key, method: 'PATCH', body: { sandbox: true } });

    expect(answer.status).toBe(422);
  });
});

describe('a sandbox', () => {
  it('loads its data set from its creation on, and answers a request for a reset with this load', async () => {
    const key = await newSandbox('filled');
    const { reset } = Sandbox.parse((await api.send(SANDBOX, { key })).body);

    const requested = await api.send(RESET, { key, method: 'POST', body: {} });

    expect(reset).toMatchObject({ reset_id: expect.stringMatching(/^rst_/), erased_rows: 0 });
    expect(Sandbox.parse(requested.body).reset?.reset_id).toBe(reset?.reset_id);
  });

  it('is marked in its settings, and accepts one reset at a time', async () => {
    const key = await idleSandbox('playground');
    const before = Sandbox.parse((await api.send(SANDBOX, { key })).body);
    await api.send('/api/v1/invocations', { key, body: someEvent() });

    const first = await api.send(RESET, { key, method: 'POST', body: { live_traffic: false } });
    const second = await api.send(RESET, { key, method: 'POST', body: {} });

    expect(before).toEqual({ live_traffic: false, live_until: null, reset: null });
    expect((await api.send('/api/v1/tenant', { key })).body).toMatchObject({ sandbox: true });
    expect(first.status, first.text).toBe(202);
    const { reset } = Sandbox.parse(first.body);
    expect(reset).toMatchObject({ status: 'queued', erased_rows: 0, sent_events: 0, finished_at: null });
    expect(Sandbox.parse(second.body).reset?.reset_id).toBe(reset?.reset_id);
    const audited = (await api.audit()).filter(({ action }) => action === 'sandbox.reset');
    expect(
      audited.filter(({ resource, outcome }) => resource === 'playground' && outcome === 'succeeded'),
    ).toHaveLength(2);
  });

  it('receives live traffic while it is on, with the same answer for a repeated request', async () => {
    const key = await idleSandbox('lively');
    const headers = { 'idempotency-key': 'lively-once' };

    const on = await api.send(SANDBOX, { key, method: 'PATCH', body: { live_traffic: true }, headers });
    const again = await api.send(SANDBOX, { key, method: 'PATCH', body: { live_traffic: true }, headers });
    const off = await api.send(SANDBOX, { key, method: 'PATCH', body: { live_traffic: false } });

    expect(on.status, on.text).toBe(200);
    expect(Sandbox.parse(on.body)).toMatchObject({ live_traffic: true, reset: null });
    expect(again.body).toEqual(on.body);
    expect(Sandbox.parse(off.body)).toEqual({ live_traffic: false, live_until: null, reset: null });
  });

  it('is reset by administrators only', async () => {
    const key = await newSandbox('guarded');
    const limited = await api.keys.create({ scopes: ['read:attribution'] }, { key });

    expect((await api.send(RESET, { key: limited.secret, method: 'POST', body: {} })).status).toBe(403);
  });
});
