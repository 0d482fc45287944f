import { randomUUID } from 'node:crypto';
import { dueSourceImporter } from '../../chargeback/reconciliation/sources/imports/importSource.ts';
import {
  costApiReports,
  type OpenReports,
} from '../../chargeback/reconciliation/sources/imports/sourceReports.ts';
import { anthropicCosts } from '../../chargeback/reconciliation/sources/reports/anthropicCosts.ts';
import type { CostApi } from '../../chargeback/reconciliation/sources/reports/costReport.ts';
import { openaiCosts } from '../../chargeback/reconciliation/sources/reports/openaiCosts.ts';
import { reportReader } from '../../chargeback/reconciliation/sources/reports/readReport.ts';
import { defaultEgressLimits, egress } from '../../platform/egress/egress.ts';
import { systemResolver } from '../../platform/egress/resolution.ts';
import { settings } from '../../platform/shared/settings.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';
import { billCredentialDecrypt, billSourcesImport, billsWrite } from '../stores/chargeback/bills.ts';
import { environment } from '../stores/environment.ts';
import { outboxAppend } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';

/** A page of a report of one day. */
const LIMITS = {
  ...defaultEgressLimits,
  deadline: 30_000,
  bodyBytes: 4 * 1_024 * 1_024,
};

/** Imports the due bill sources of a tenant, configured from the environment. */
export const billImportFromEnv = (): ReturnType<typeof dueSourceImporter> => {
  const { clock } = environment;
  const { openCredential, ...stores } = storesIn(environment, {
    billCredentialDecrypt,
    billSourcesImport,
    billsWrite,
    outboxAppend,
  });
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
      readReport: reportReader({ get: outbound.get, now: clock }),
      openCredential,
    });
  const objects = { send: outbound.send, now: clock, baseUrl: settings.BILLS_S3_URL };
  /** Loads the Parquet library and the client of STS only when a source of AWS is due. */
  const loadExports = async (): Promise<OpenReports> => {
    const [{ assumeRole }, { exportReports }, { exportObjects }] = await Promise.all([
      import('../../platform/customerBuckets/assumeRole.aws.ts'),
      import('../../chargeback/reconciliation/sources/aws/exportReports.ts'),
      import('../../chargeback/reconciliation/sources/aws/exportObjects.ts'),
    ]);
    return exportReports({
      assumeRole,
      objectsOf: (place, session) => exportObjects(objects, place, session),
      clock,
    });
  };
  let loaded: Promise<OpenReports> | undefined;
  const fromExports: OpenReports = async (source, run) => {
    loaded ??= loadExports();
    return (await loaded)(source, run);
  };
  return dueSourceImporter({
    ...stores,
    openReports: {
      openai: byApi(openaiCosts, BILLS_OPENAI_URL),
      anthropic: byApi(anthropicCosts, BILLS_ANTHROPIC_URL),
      aws: fromExports,
    },
    clock,
    newClaim: randomUUID,
  });
};
