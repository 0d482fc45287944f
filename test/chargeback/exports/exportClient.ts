import { expect } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { ExportManifest } from '../../../schemas/chargeback/exportManifest.ts';
import {
  type ExportJobWithFiles,
  ExportStarted,
  ExportJobWithFiles as Job,
} from '../../../schemas/chargeback/exports.ts';
import type { ExportHarness } from './harness.ts';
import { aRecord, byPersons } from './records.ts';

export const REQUEST = { format: 'focus', period: { from: '2026-09-01', to: '2026-11-01' } };

/** Calls of two months with many and few persons, known and unknown prices, and one call before and after the period. */
export const someLedger = () => [
  ...byPersons(6, { event: { cached_input_tokens: 500 } }),
  ...byPersons(6, { at: '2026-09-30T23:59:59.999Z' }),
  ...byPersons(2, { owner: 'team-small' }),
  ...byPersons(7, { owner: 'team-chat', service: 'answers', at: '2026-10-03T05:00:00.000Z' }),
  aRecord({ event: { estimated_cost_usd: '0.333333333333' }, at: '2026-10-31T23:59:59.000Z' }),
  aRecord({ event: { requested_model: 'unpriced' } }),
  aRecord({ event: { operation: 'invoke_agent' } }),
  aRecord({ at: '2026-08-31T23:59:59.999Z' }),
  aRecord({ at: '2026-11-01T00:00:00.000Z' }),
];

/** Export requests of one tenant. */
export const exportClientOf = (world: ExportHarness, tenant: Tenant) => ({
  post: async (members: object = {}, residency: string | null = null): Promise<string> => {
    world.time.now += 1;
    const answer = await world.call('create', { tenant, residency, body: { ...REQUEST, ...members } });
    expect(answer.status, answer.text).toBe(202);
    return ExportStarted.parse(answer.body).job_id;
  },
  get: async (id: string): Promise<ExportJobWithFiles> => {
    const answer = await world.call('get', { tenant, id });
    expect(answer.status, answer.text).toBe(200);
    return Job.parse(answer.body);
  },
  named: (job_id: string) => ({ tenant_id: tenant.tenant_id, job_id }),
  manifest: (id: string): ExportManifest => ExportManifest.parse(world.documentOf(id, 'manifest.json')),
  finishedEvents: async () => (await world.eventsOf(tenant)).map(({ type, data }) => [type, data['job_id']]),
});
export type ExportClient = ReturnType<typeof exportClientOf>;
