import { workers } from '../../../schemas/platform/workers.ts';
import { DAYS_START_MS } from '../../chargeback/reconciliation/sources/imports/importSource.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { billImportFromEnv } from '../wiring/billImportFromEnv.ts';
import { tenantsInPlace } from '../wiring/roundsFromEnv.ts';

const importDueSources = billImportFromEnv();

/** Imports the due bills of a tenant. A failure is logged, and a later run tries again. */
const importBills = async (tenant_id: string, startedAt: number): Promise<void> => {
  const onFailure = (error: unknown): void =>
    log({ level: 'error', message: 'bills could not be imported', tenant_id, ...describeError(error) });
  await importDueSources(tenant_id, startedAt, onFailure).catch(onFailure);
};

/** A sandbox has no bills: its calls are synthetic. No import begins after {@link DAYS_START_MS}. */
export const handler = tenantsInPlace('billImports', {
  hasWork: ({ isSandbox }) => !isSandbox,
  concurrency: 8,
  reservedMs: workers.billImports.timeoutSeconds * 1_000 - DAYS_START_MS,
  work: importBills,
});
