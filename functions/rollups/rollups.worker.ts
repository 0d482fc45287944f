import type { SQSRecord } from 'aws-lambda';
import { RollupMessage } from '../../schemas/rollup.ts';
import { ledgerReader } from '../attribution/store.ts';
import { queueHandler } from '../queue/batch.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import { tenantReader } from '../tenancy/store.ts';
import { rollupComputer } from './compute.ts';
import { rollupWriter } from './rollup.store.ts';

const tenants = tenantReader(resource('table', 'tenants'));
const compute = rollupComputer({
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  rollups: rollupWriter(resource('table', 'rollups')),
  clock: systemClock,
});

/** Sums anew what has changed. */
export const handler = queueHandler(async (record: SQSRecord) => {
  const { tenant_id, minutes } = RollupMessage.parse(JSON.parse(record.body));
  const tenant = await tenants.tenant(tenant_id);
  if (tenant !== null) await compute(tenant, minutes);
});
