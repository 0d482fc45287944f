import { randomUUID } from 'node:crypto';
import { billReader, billWriter } from '../../chargeback/reconciliation/bill.store.ts';
import { billImportWriter } from '../../chargeback/reconciliation/imports/billImport.store.ts';
import { anthropicCosts } from '../../chargeback/reconciliation/sources/anthropicCosts.ts';
import { importedSources } from '../../chargeback/reconciliation/sources/billSource.store.ts';
import type { CostApi } from '../../chargeback/reconciliation/sources/costReport.ts';
import { credentialOpener } from '../../chargeback/reconciliation/sources/credential.aws.ts';
import { dueSourceImporter } from '../../chargeback/reconciliation/sources/importSource.ts';
import { openaiCosts } from '../../chargeback/reconciliation/sources/openaiCosts.ts';
import { reportReader } from '../../chargeback/reconciliation/sources/readReport.ts';
import { costApiReports, type OpenReports } from '../../chargeback/reconciliation/sources/sourceReports.ts';
import { egress } from '../../platform/egress/egress.ts';
import { systemResolver } from '../../platform/egress/resolution.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { stopwatch, systemClock } from '../../platform/shared/time/clock.ts';

/** A page of a report of one day. */
const LIMITS = { deadline: 30_000, headerBytes: 16 * 1_024, bodyBytes: 4 * 1_024 * 1_024 };

/** Imports the due bill sources of a tenant, configured from the environment. */
export const billImportFromEnv = (): ReturnType<typeof dueSourceImporter> => {
  const outbound = egress({
    policy: { ports: [], allowHosts: settings.WEBHOOK_ALLOW_HOSTS },
    resolver: systemResolver,
    now: stopwatch.now,
    limits: LIMITS,
    ...(settings.WEBHOOK_CA !== undefined && { ca: settings.WEBHOOK_CA }),
  });
  const { BILLS_OPENAI_URL, BILLS_ANTHROPIC_URL } = settings;
  const byApi = (api: CostApi, baseUrl = api.baseUrl): OpenReports =>
    costApiReports({
      api: { ...api, baseUrl },
      readReport: reportReader({ get: outbound.get, now: systemClock }),
      openCredential: credentialOpener(resource('key', 'billCredential')),
    });
  const objects = { get: outbound.get, now: systemClock, baseUrl: settings.BILLS_S3_URL };
  /** Loads the Parquet library and the client of STS only when a source of AWS is due. */
  const loadExports = async (): Promise<OpenReports> => {
    const [{ assumeExportRole }, { exportReports }, { exportObjects }] = await Promise.all([
      import('../../chargeback/reconciliation/sources/aws/assumeRole.aws.ts'),
      import('../../chargeback/reconciliation/sources/aws/exportReports.ts'),
      import('../../chargeback/reconciliation/sources/aws/exportObjects.ts'),
    ]);
    return exportReports({
      assumeRole: assumeExportRole,
      objectsOf: (place, session) => exportObjects(objects, place, session),
      clock: systemClock,
    });
  };
  let loaded: Promise<OpenReports> | undefined;
  const fromExports: OpenReports = async (source, run) => {
    loaded ??= loadExports();
    return (await loaded)(source, run);
  };
  return dueSourceImporter({
    sources: importedSources(resource('table', 'billSources')),
    bills: billReader(resource('table', 'bills')),
    billWriter: billWriter(resource('table', 'bills')),
    billImportWriter: billImportWriter(resource('table', 'bills')),
    openReports: {
      openai: byApi(openaiCosts, BILLS_OPENAI_URL),
      anthropic: byApi(anthropicCosts, BILLS_ANTHROPIC_URL),
      aws: fromExports,
    },
    clock: systemClock,
    newClaim: randomUUID,
    outbox: outbox(resource('table', 'outbox')),
  });
};
