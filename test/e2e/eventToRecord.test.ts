import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

let instance: Instance;
let keys: { ingest: string; read: string };

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: tenant } = demoTenants(instance.credentials);
  keys = tenant.api_keys;
});
afterAll(() => instance.stop());

it('creates an attribution record from an accepted event', async () => {
  const event = someEvent({ region: 'us-east-1', latency_ms: 4_000 });

  const accepted = await call(instance.baseUrl, '/api/v1/invocations', { key: keys.ingest, body: event });
  await instance.runtime.idle();
  const list = await call(instance.baseUrl, '/v1/attribution', { key: keys.read });

  expect(accepted).toMatchObject({
    status: 202,
    body: { event_id: event['event_id'], status: 'queued', scrubbed: [] },
  });
  expect(list.body).toMatchObject({
    data: [
      {
        event_id: event['event_id'],
        invocation_id: accepted.body['invocation_id'],
        owner: 'team-search',
        service: 'search',
        cost_usd: '0.0045',
        output_state: 'deterministically_resolved',
        interpretation: { evidence_basis: 'identity_resolved', export_eligibility: 'eligible' },
      },
    ],
  });
});
