import { randomUUID } from 'node:crypto';
import { egress } from '../../egress/egress.ts';
import { systemResolver } from '../../egress/resolution.ts';
import { outbox } from '../../events/outbox.store.ts';
import { billReader, billWriter } from '../../reconciliation/bill.store.ts';
import { billImportWriter } from '../../reconciliation/imports/billImport.store.ts';
import { anthropicCosts } from '../../reconciliation/sources/anthropicCosts.ts';
import { importedSources } from '../../reconciliation/sources/billSource.store.ts';
import type { CostApi } from '../../reconciliation/sources/costReport.ts';
import { credentialOpener } from '../../reconciliation/sources/credential.store.ts';
import { dueSourceImporter } from '../../reconciliation/sources/importSource.ts';
import { openaiCosts } from '../../reconciliation/sources/openaiCosts.ts';
import { reportReader } from '../../reconciliation/sources/readReport.ts';
import { costApiReports, type OpenReports } from '../../reconciliation/sources/sourceReports.ts';
import { resource, settings } from '../../shared/settings.ts';
import { stopwatch, systemClock } from '../../shared/time/clock.ts';

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
      import('../../reconciliation/sources/aws/assumeRole.store.ts'),
      import('../../reconciliation/sources/aws/exportReports.ts'),
      import('../../reconciliation/sources/aws/exportObjects.ts'),
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
