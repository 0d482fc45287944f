import { randomUUID } from 'node:crypto';
import { dedupClaimReader } from '../../../functions/ledger/records/dedup/dedupClaimReader.store.ts';
import { OWN_PROVENANCE } from '../../../functions/ledger/records/provenance.ts';
import { idOf, invocationUlid } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Deployment } from '../../../tools/operator/deployment.ts';
import { anEvent } from '../../attribution/engine/events.ts';
import { recorderWithFault } from '../../ledger/records/crashFixture.ts';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { verifyEndpoint } from '../../support/webhooks.ts';

/** One call of an operation. Default body: a sample of its schema. */
export interface Sent {
  readonly operation: string;
  readonly id?: string;
  readonly body?: object;
  readonly bySandbox?: boolean;
}

export interface ScenarioContext {
  readonly tenant: Tenant;
  readonly deployment: Deployment;
  readonly now: number;
  /** Sends a call and returns the id of what it created. */
  readonly create: (sent: Sent) => Promise<string>;
}

export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

/** Its record. The cost of an event that reports one is set aside. */
export const recordOf = async ({ tenant, now }: ScenarioContext, reportedUsd?: string): Promise<string> => {
  const reported = reportedUsd === undefined ? {} : { estimated_cost_usd: reportedUsd };
  const event = anEvent({ event_id: randomUUID(), ...reported });
  await recorderWithFault()(event, { receivedAt: now, residency: null, statedBy: OWN_PROVENANCE }, tenant);
  const ulid = await dedupClaimReader('claims').recordOf(
    tenant.tenant_id,
    invocationUlid(tenant.tenant_id, event.event_id),
  );
  return idOf('att', tenant.tag, ulid ?? '');
};

export const verifiedEndpoint = async ({ create, deployment, tenant }: ScenarioContext): Promise<string> => {
  const id = await create({ operation: 'createWebhook' });
  await verifyEndpoint(deployment, tenant, id);
  return id;
};

export const anomalyOf = async ({ tenant, deployment, now }: ScenarioContext): Promise<string> => {
  const anomaly = anAnomaly(tenant.tag, now - (now % HOUR_MS) - 2 * HOUR_MS);
  await seedAnomalies(deployment, tenant, [anomaly]);
  return anomaly.id;
};
