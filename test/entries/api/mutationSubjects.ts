import { randomBytes, randomUUID } from 'node:crypto';
import { exportStore } from '../../../functions/chargeback/exports/job/export.store.ts';
import { markRunning, markSucceeded, newExport } from '../../../functions/chargeback/exports/job/job.ts';
import { dedupClaimReader } from '../../../functions/ledger/records/dedup/dedupClaimReader.store.ts';
import { OWN_PROVENANCE } from '../../../functions/ledger/records/provenance.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { idOf, invocationUlid } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { ExportRequest } from '../../../schemas/chargeback/focus.ts';
import type { Deployment } from '../../../tools/operator/deployment.ts';
import { anEvent } from '../../attribution/engine/events.ts';
import { recorderWithFault } from '../../ledger/records/crashFixture.ts';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { NO_RESULT } from '../../support/exports.ts';
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

/** An export of a month that has succeeded. */
export const finishedExport = async ({ tenant, now }: ScenarioContext): Promise<string> => {
  const period = { from: '2026-01-01', to: '2026-02-01' };
  const origin = {
    ulid: ulidOf(now, randomBytes(10)),
    at: now,
    by: 'key',
    residency: null,
    basis: 'records',
  } as const;
  const queued = newExport(tenant, ExportRequest.parse({ format: 'focus', period }), origin);
  const running = markRunning(queued, 'arn', now) ?? queued;
  const job = markSucceeded(running, NO_RESULT, now);
  await commit([...exportStore('exports').open(job, { claim: randomUUID(), attempt: 1 })]);
  return job.job_id;
};

export const anomalyOf = async ({ tenant, deployment, now }: ScenarioContext): Promise<string> => {
  const anomaly = anAnomaly(tenant.tag, now - (now % HOUR_MS) - 2 * HOUR_MS);
  await seedAnomalies(deployment, tenant, [anomaly]);
  return anomaly.id;
};
