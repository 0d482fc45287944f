import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import * as z from 'zod';
import deleteBill from '../../../../functions/chargeback/reconciliation/deleteBill.ts';
import {
  billReader,
  billWriter,
} from '../../../../functions/chargeback/reconciliation/deliveries/bill.store.ts';
import { toDelivery } from '../../../../functions/chargeback/reconciliation/deliveries/toDelivery.ts';
import postBills from '../../../../functions/chargeback/reconciliation/postBills.ts';
import { exportObjects } from '../../../../functions/chargeback/reconciliation/sources/aws/exportObjects.ts';
import { exportReports } from '../../../../functions/chargeback/reconciliation/sources/aws/exportReports.ts';
import { importedSources } from '../../../../functions/chargeback/reconciliation/sources/billSource.store.ts';
import createBillSource from '../../../../functions/chargeback/reconciliation/sources/createBillSource.ts';
import deleteBillSource from '../../../../functions/chargeback/reconciliation/sources/deleteBillSource.ts';
import getBillSource from '../../../../functions/chargeback/reconciliation/sources/getBillSource.ts';
import { dueSourceImporter } from '../../../../functions/chargeback/reconciliation/sources/imports/importSource.ts';
import { costApiReports } from '../../../../functions/chargeback/reconciliation/sources/imports/sourceReports.ts';
import listBillSources from '../../../../functions/chargeback/reconciliation/sources/listBillSources.ts';
import { anthropicCosts } from '../../../../functions/chargeback/reconciliation/sources/reports/anthropicCosts.ts';
import type { CostApi } from '../../../../functions/chargeback/reconciliation/sources/reports/costReport.ts';
import { openaiCosts } from '../../../../functions/chargeback/reconciliation/sources/reports/openaiCosts.ts';
import { reportReader } from '../../../../functions/chargeback/reconciliation/sources/reports/readReport.ts';
import updateBillSource from '../../../../functions/chargeback/reconciliation/sources/updateBillSource.ts';
import {
  billSourcesRead,
  billSourcesWrite,
  billsRead,
  billsWrite,
} from '../../../../functions/entries/stores/chargeback/bills.ts';
import { auditAppend } from '../../../../functions/entries/stores/identity.ts';
import { storesIn } from '../../../../functions/entries/stores/provider.ts';
import type { EgressOutcome } from '../../../../functions/platform/egress/outcome.ts';
import { outbox } from '../../../../functions/platform/outbox/outbox.store.ts';
import { sumDecimals } from '../../../../functions/platform/shared/decimal.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { BillProvider } from '../../../../schemas/chargeback/billSourceHealth.ts';
import { BillSource } from '../../../../schemas/chargeback/billSources.ts';
import { scopeNames } from '../../../../schemas/identity/scopes.ts';
import { injectFaults } from '../../../identity/credentials/faultInjection.ts';
import { callAsTenant, type TenantRequest } from '../../../platform/http/callAsTenant.ts';
import { testEnvironment } from '../../../platform/http/testEnvironment.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant } from '../../../support/tenants.ts';
import { fakeAws } from './aws/fakeAws.ts';
import { type FakeProvider, fakeProvider } from './fakeProvider.ts';

export const NOW = Date.parse('2026-05-10T12:00:00Z');
export const KEY = 'an-admin-key-of-the-provider';
export const IMPORT_ROLE = 'arn:aws:iam::999988887777:role/Attribution-WorkersTrainingsRole';
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC date that is `days` before the test clock begins. */
export const dateBefore = (days: number): string => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10);

/** The operations on bill sources and their import, on real tables, with fake providers and a test clock. */
export const startSourceHarness = async () => {
  const live = await startTables();
  const time = { now: NOW, perRequest: 0 };
  const clock = () => time.now;
  const aws = fakeAws();
  const providers: Record<Exclude<BillProvider, 'aws'>, FakeProvider> = {
    openai: fakeProvider('openai', KEY),
    anthropic: fakeProvider('anthropic', KEY),
  };
  const lost = { credentials: false };
  const stores = {
    ...storesIn(testEnvironment(clock), {
      auditAppend,
      billsRead,
      billsWrite,
      billSourcesRead,
      billSourcesWrite,
    }),
    importRoleArn: IMPORT_ROLE,
    cursorKey: async () => new Uint8Array(32),
    sealCredential: async (credential: string) => Buffer.from(credential).toString('base64'),
  };
  const operations = {
    createBillSource: createBillSource(stores),
    listBillSources: listBillSources(stores),
    getBillSource: getBillSource(stores),
    updateBillSource: updateBillSource(stores),
    deleteBillSource: deleteBillSource(stores),
    postBills: postBills(stores),
    deleteBill: deleteBill(stores),
  };
  const bills = billReader('bills');

  const get = async (url: string, headers: Readonly<Record<string, string>>): Promise<EgressOutcome> => {
    time.now += time.perRequest;
    const parsed = new URL(url);
    const [, bucket] = /^([^.]+)\.s3\.us-east-1\.amazonaws\.com$/.exec(parsed.host) ?? [];
    if (bucket !== undefined) {
      const answer = aws.answer(`${bucket}${parsed.pathname}`, headers);
      return { kind: 'answered', retryAfter: null, truncated: false, latency: 0, ...answer };
    }
    const provider = parsed.host === 'api.openai.com' ? providers.openai : providers.anthropic;
    const { status, headers: sent = {}, body } = provider.answer(parsed, headers);
    return {
      kind: 'answered',
      status,
      retryAfter: sent['retry-after'] ?? null,
      headers: sent,
      body: Buffer.from(body),
      truncated: false,
      latency: 0,
    };
  };
  const byApi = (api: CostApi) =>
    costApiReports({
      api,
      readReport: reportReader({ get, now: clock }),
      openCredential: async (sealed) => (lost.credentials ? null : Buffer.from(sealed, 'base64').toString()),
    });
  const importDue = dueSourceImporter({
    sources: importedSources('billSources'),
    billWriter: billWriter('bills'),
    openReports: {
      openai: byApi(openaiCosts),
      anthropic: byApi(anthropicCosts),
      aws: exportReports({
        assumeRole: aws.assumeRole,
        objectsOf: (place, session) =>
          exportObjects({ send: (url, { headers }) => get(url, headers), now: clock }, place, session),
        clock,
      }),
    },
    clock,
    newClaim: randomUUID,
    outbox: outbox('outbox'),
  });
  const faults = injectFaults();
  const call = (name: keyof typeof operations, sent: TenantRequest) =>
    callAsTenant(operations[name], sent, { scopes: scopeNames, clock });

  return {
    live,
    faults,
    /**
     * Forgets what a test has set. Resolves to a new tenant. All providers have published these days, counted back from the
     * start of the test clock, without a charge.
     */
    newTest: (days = { from: 0, to: 60 }): Tenant => {
      Object.assign(time, { now: NOW, perRequest: 0 });
      lost.credentials = false;
      for (const { state, requests, publish } of Object.values(providers)) {
        Object.assign(state, { instead: null, organization: undefined, pageSize: 100 });
        requests.length = 0;
        for (let day = days.from; day < days.to; day += 1) publish(dateBefore(day), []);
      }
      aws.objects.clear();
      aws.requests.length = 0;
      Object.assign(aws.state, { instead: null, instantly: null, refusesLongSuffix: false });
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      return newTenant();
    },
    stop: live.stop,
    time,
    lost,
    providers,
    aws,
    call,
    create: async (tenant: Tenant, members: object = {}): Promise<BillSource> => {
      const access = 'data_export' in members ? {} : { credential: KEY };
      const body = { provider: 'openai', name: 'OpenAI', ...access, ...members };
      return BillSource.parse((await call('createBillSource', { tenant, body })).body);
    },
    read: async (tenant: Tenant, { id }: BillSource): Promise<BillSource> =>
      BillSource.parse((await call('getBillSource', { tenant, id })).body),
    /** One run of the worker for a tenant. Throws what the service failed with. */
    run: async ({ tenant_id }: Tenant): Promise<void> => {
      const errors: unknown[] = [];
      await importDue(tenant_id, time.now, (error) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
    /** What the stored bills of some days charge in all. */
    billed: async ({ tenant_id }: Tenant, ...days: readonly string[]): Promise<string> => {
      const found = await bills.days(tenant_id, days);
      return sumDecimals(found.flatMap(({ rows }) => rows.map(({ cost }) => cost)));
    },
    rows: ({ tenant_id }: Tenant, ...days: readonly string[]) => bills.days(tenant_id, days),
    deliveries: async ({ tenant_id }: Tenant) => {
      const found = await bills.deliveries(tenant_id, { descending: true, limit: 100 });
      return found.map((delivery) => toDelivery(delivery, time.now));
    },
    watermark: ({ tenant_id }: Tenant) => bills.watermark(tenant_id),
    stored: async ({ tenant_id }: Tenant) =>
      z
        .array(z.looseObject({ sealed_credential: z.string() }))
        .parse(await live.documents('billSources', `source#${tenant_id}`)),
  };
};
export type SourceHarness = Awaited<ReturnType<typeof startSourceHarness>>;
