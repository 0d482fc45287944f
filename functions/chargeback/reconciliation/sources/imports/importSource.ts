import type { ImportError } from '../../../../../schemas/chargeback/billSourceHealth.ts';
import { canonicalProvider } from '../../../../impact/usage/modelIdentity.ts';
import type { Outbox } from '../../../../platform/outbox/outbox.store.ts';
import type { BillWriter } from '../../deliveries/bill.store.ts';
import type { ImportedSources } from '../billSource.store.ts';
import type { StoredBillSource } from '../billSource.ts';
import { afterDay, afterFailure, afterSuccess, afterUnreadDay, isDue } from '../importSchedule.ts';
import { chargesOfDay, TooManyRows, toBillLines } from '../reports/dayReport.ts';
import { failReport, type ReportFailure, unstorable } from '../reports/readReport.ts';
import { recordDay } from './recordDay.ts';
import { healthOf, healthReporter } from './sourceHealth.ts';
import { type SourceLease, takeLease } from './sourceLease.ts';
import type { OpenReports, SourceReports } from './sourceReports.ts';

/** A run reads no new day after this time, and sends no request after this time, in milliseconds. */
export const DAYS_START_MS = 120_000;
export const PAGES_START_MS = 240_000;

export interface ImportDeps {
  readonly sources: ImportedSources;
  readonly billWriter: BillWriter;
  readonly openReports: Readonly<Record<StoredBillSource['provider'], OpenReports>>;
  readonly clock: () => number;
  readonly newClaim: () => string;
  readonly outbox: Outbox;
}

/** The names of the providers on their bill rows. */
const PROVIDER_NAMES: Readonly<Record<StoredBillSource['provider'], string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  aws: 'Amazon Web Services',
};

/** Failures of the report of one day. All others are failures of the source, which end the run. */
const DAY_ERRORS: ReadonlySet<ImportError> = new Set(['unreadable', 'other_currency', 'too_large']);

/** Reads and writes one day under the lease. Returns the failure, `written`, or `lost` if the lease was lost. */
const importDay = async (
  deps: ImportDeps,
  tenantId: string,
  lease: SourceLease,
  reports: SourceReports,
  day: number,
): Promise<ReportFailure | 'written' | 'lost'> => {
  const at = deps.clock();
  const report = await reports.read(day);
  if (report.kind === 'failed') return report;
  const held = await lease.update(deps.clock());
  if (held === null) return 'lost';
  const { id: sourceId, provider, account: name, imports, exchange_rates: rates } = held;
  // The name that the source has is used only while the provider has reported none.
  const account = report.account ?? imports.reported_account ?? name;
  const providerName = PROVIDER_NAMES[provider];
  let lines: ReturnType<typeof toBillLines>;
  try {
    lines = toBillLines(chargesOfDay(report.buckets, day), { providerName, account, day, rates });
  } catch (error) {
    // The reason would quote the report.
    return error instanceof TooManyRows ? failReport('too_large') : unstorable(error);
  }
  const biller = canonicalProvider(providerName);
  const by = { claim: deps.newClaim(), attempt: 1 };
  await recordDay(deps.billWriter, tenantId, { sourceId, provider: biller, account, day, at }, lines, by);
  const isKept = await lease.update(deps.clock(), (before) => ({
    ...reports.afterDay(afterDay(before, day, lines.length > 0), day),
    reported_account: report.account ?? before.reported_account,
  }));
  return isKept === null ? 'lost' : 'written';
};

/**
 * Imports the due days of a source, in a run that began at `startedAt` (epoch milliseconds). Does nothing if another run has
 * the source. What stops half-way continues at the same day in a later run.
 */
export const sourceImporter =
  (deps: ImportDeps) =>
  async (tenantId: string, id: string, startedAt: number): Promise<void> => {
    const lease = await takeLease(deps, tenantId, id, deps.clock());
    if (lease === null) return;
    const end = async (reason: ReportFailure): Promise<void> => {
      const now = deps.clock();
      await lease.update(now, (imports) => afterFailure(imports, reason, now));
    };
    const until = startedAt + PAGES_START_MS;
    const reports = await deps.openReports[lease.source.provider](lease.source, { startedAt, until });
    if (reports.kind === 'failed') return end(reports);
    for (const day of reports.days) {
      const daysUntil = reports.isLoaded(day) ? until : startedAt + DAYS_START_MS;
      if (deps.clock() >= daysUntil) return end(failReport('slow'));
      const outcome = await importDay(deps, tenantId, lease, reports, day);
      if (outcome === 'lost') return;
      if (outcome === 'written') continue;
      if (outcome.ofRun === true || !DAY_ERRORS.has(outcome.error)) return end(outcome);
      const at = deps.clock();
      const isKept = await lease.update(at, (imports) =>
        reports.afterDay(afterUnreadDay(imports, day, outcome.error, at), day),
      );
      if (isKept === null) return;
    }
    if (reports.failure) return end(reports.failure);
    const now = deps.clock();
    await lease.update(now, (imports) => afterSuccess(imports, startedAt, now));
  };

/**
 * Imports all due sources of a tenant, one after the other, and reports the sources whose health has changed. `onFailure` is
 * told of errors of the service itself: the source keeps its lease. When that has expired, the run counts as interrupted,
 * and a later one repeats the day.
 */
export const dueSourceImporter = (deps: ImportDeps) => {
  const importSource = sourceImporter(deps);
  const reportHealth = healthReporter(deps);
  return async (tenantId: string, startedAt: number, onFailure: (error: unknown) => void): Promise<void> => {
    // A tenant whose sources cannot begin keeps its turn for the next run.
    if (deps.clock() >= startedAt + DAYS_START_MS) return;
    for (const source of await deps.sources.all(tenantId)) {
      const now = deps.clock();
      const isImported = now < startedAt + DAYS_START_MS && isDue(source, now);
      if (isImported) await importSource(tenantId, source.id, startedAt).catch(onFailure);
      // A source becomes late by time alone, so it is looked at in every run.
      if (isImported || healthOf(source, now) !== source.health.state) {
        await reportHealth(tenantId, source.id).catch(onFailure);
      }
    }
  };
};
