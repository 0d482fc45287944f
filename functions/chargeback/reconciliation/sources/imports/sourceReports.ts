import type { ImportState, StoredBillSource } from '../billSource.ts';
import type { OpenCredential } from '../credential.aws.ts';
import { daysToImport, unreadDaysToRetry } from '../importSchedule.ts';
import type { CostApi } from '../reports/costReport.ts';
import { failReport, type ReadReport, type ReportFailure, type reportReader } from '../reports/readReport.ts';

/** The limits of a run, in epoch milliseconds: when it began, and when its last request may start. */
export interface ImportRun {
  readonly startedAt: number;
  readonly until: number;
}

/** The reports of a source in one run. */
export interface SourceReports {
  readonly kind: 'opened';
  /** The starts of the UTC days to import, earliest first, in epoch milliseconds. */
  readonly days: readonly number[];
  /** What could not be opened, while the days could. The import ends with it, and tries again. */
  readonly failure?: ReportFailure | null;
  /** Whether the report of a day is in memory, so that reading it takes no time. */
  readonly isLoaded: (day: number) => boolean;
  readonly read: (day: number) => Promise<ReadReport | ReportFailure>;
  /** Adds to the state of the imports what the next run must know, once a day was written. */
  readonly afterDay: (imports: ImportState, day: number) => ImportState;
}

/** The days of an import, with those that are tried again, earliest first. */
export const withUnread = (days: readonly number[], imports: ImportState, now: number): number[] =>
  [...new Set([...unreadDaysToRetry(imports, now), ...days])].sort((one, other) => one - other);

/** Opens the reports of a source. Never throws for what a provider answers. */
export type OpenReports = (
  source: StoredBillSource,
  run: ImportRun,
) => Promise<SourceReports | ReportFailure>;

/** The reports of a provider with an API that answers by day. */
export const costApiReports =
  (deps: {
    readonly api: CostApi;
    readonly readReport: ReturnType<typeof reportReader>;
    readonly openCredential: OpenCredential;
  }): OpenReports =>
  async (source, { startedAt, until }) => {
    const credential = await deps.openCredential(source.sealed_credential, source.id);
    if (credential === null) return failReport('credential_lost');
    return {
      kind: 'opened',
      days: withUnread(daysToImport(source, startedAt), source.imports, startedAt),
      isLoaded: () => false,
      read: (day) => deps.readReport(deps.api, { credential, day, until }),
      afterDay: (imports) => imports,
    };
  };
