import { afterAll, beforeAll } from 'vitest';
import type { Arrival } from '../../../functions/attribution/engine/incomingCall.ts';
import type { Provenance } from '../../../functions/ledger/records/provenance.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { aSpanEvent, startTraceRecorder, versionsOf } from './trace/traceFixture.ts';

let live: LiveTables;

export const DAY = 24 * 3_600_000;

export const connectorOf = (id: string, registered: Partial<Provenance['registered']> = {}): Provenance => ({
  kind: 'oauth_client',
  id,
  connector: id,
  registered: { source_systems: ['kong'], fills_other_sources: false, ...registered },
});
export const ownKong = connectorOf('cli_kong');
export const otherKey: Provenance = { kind: 'api_key', id: 'key_other' };

export const by = (statedBy: Provenance, residency: string | null = null): Partial<Arrival> => ({
  statedBy,
  residency,
});
export const lanes = (): Tenant => ({ ...newTenant(), residency: ['us', 'eu'] });
export type Members = Record<string, unknown>;
export type Sent = readonly [Members, Partial<Arrival>];

/** The call of the victim. */
export const CALL = {
  id_basis: 'response.chatcmpl',
  ingestion_layer: 'gateway',
  source_system: 'litellm',
  attributed_identity: 'carol',
  end_user: 'lea',
  attributed_service: 'checkout',
  attribution_confidence: 0.9,
  estimated_cost_usd: '12.5',
  input_tokens: 1_000,
  trace_id: 'a trace',
  span_id: 's1',
  tags: ['own'],
};

export const send = async (tenant: Tenant, ...sent: readonly Sent[]): Promise<string[]> => {
  const outcomes: string[] = [];
  for (const [{ index = 0, ...members }, arrival] of sent) {
    outcomes.push(await startTraceRecorder()(aSpanEvent(Number(index), members), tenant, arrival));
  }
  return outcomes;
};

/** The newest records in a lane that a party other than the partner stated, without what names their version. */
export const recordsOf = async (tenant: Tenant, lane: string | null = null) =>
  [...(await versionsOf(tenant)).values()]
    .flatMap((versions) => [...Map.groupBy(versions, ({ attribution }) => attribution.record.id).values()])
    .flatMap((versions) => versions.at(-1)?.attribution ?? [])
    .filter(({ record }) => lane === null || record.residency === lane)
    .map(({ record, explanation, storedEvent }) => ({ record, explanation, storedEvent }));

/** Starts the tables of a test file. */
export const useStatements = (): void => {
  beforeAll(async () => {
    live = await startTables();
  });
  afterAll(() => live.stop());
};
