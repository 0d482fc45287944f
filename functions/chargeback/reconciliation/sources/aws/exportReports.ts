import type { DataExport } from '../../../../../schemas/chargeback/dataExport.ts';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import type { AssumeRole, RoleSession } from '../../../../platform/customerBuckets/assumeRole.aws.ts';
import {
  type Month,
  monthOf,
  startOfMonth,
  startOfNextMonth,
} from '../../../../platform/shared/time/month.ts';
import { firstImportedDay, type StoredBillSource } from '../billSource.ts';
import { type ImportRun, type OpenReports, withUnread } from '../imports/sourceReports.ts';
import { type ReportedCharge, reportedAccount } from '../reports/costReport.ts';
import { failReport, type ReportFailure, unstorable } from '../reports/readReport.ts';
import {
  type Delivery,
  daysOfDelivery,
  type ExportLocation,
  exportLocation,
  type ImportedDelivery,
  manifestKey,
  parseManifest,
} from './dataExport.ts';
import { ExportTooLarge } from './exportFile.ts';
import type { ReadObject } from './exportObjects.ts';
import { exportRole } from './exportRole.ts';
import { readMonth } from './readMonth.ts';

type Charges = ReadonlyMap<number, readonly ReportedCharge[]>;

interface ExportDeps {
  readonly assumeRole: AssumeRole;
  readonly objectsOf: (location: ExportLocation, session: RoleSession) => ReadObject;
  readonly clock: () => number;
}

const monthBefore = (month: Month): Month => monthOf(startOfMonth(month) - DAY_MS);

/** A month whose delivery has not been seen for so long after its end has none. */
const MISSING_MAXIMUM_MS = 100 * DAY_MS;

/**
 * The months that AWS may still change at `now` (epoch milliseconds), which it does up to two weeks after their end: the
 * present one and the one before.
 */
const changingMonths = (now: number): Month[] => [monthBefore(monthOf(now)), monthOf(now)];

/**
 * The months whose deliveries an import at `now` reads, earliest first: those that AWS may still change, those that no
 * import has completed since then, and those of days to try again. So an outage of any length leaves none out.
 */
const openMonths = (source: StoredBillSource, now: number): Month[] => {
  const { imported_until: until, deliveries = {}, unread_days: unread } = source.imports;
  const months = new Set([...changingMonths(now), ...Object.keys(unread).map((day) => monthOf(Number(day)))]);
  for (const [month, { until: done }] of Object.entries(deliveries)) {
    if (done > 0 || now < startOfNextMonth(month) + MISSING_MAXIMUM_MS) months.add(month);
  }
  let at = until ?? firstImportedDay(source);
  for (; at < now; at = startOfNextMonth(monthOf(at))) months.add(monthOf(at));
  return [...months].sort();
};

const readDelivery = async (
  location: ExportLocation,
  month: Month,
  readObject: ReadObject,
): Promise<Delivery | ReportFailure> => {
  const manifest = await readObject(manifestKey(location, month));
  if (manifest.kind === 'failed') return manifest;
  try {
    return parseManifest(location, month, manifest);
  } catch (error) {
    return unstorable(error);
  }
};

/**
 * The deliveries of the open months. A month without a delivery is left out if another has one: an export begins with its
 * first month, and each month some hours after its start. A manifest that cannot be read is a failure of its month only.
 */
const readDeliveries = async (
  location: ExportLocation,
  months: readonly Month[],
  readObject: ReadObject,
): Promise<
  { readonly deliveries: Map<Month, Delivery>; readonly failure: ReportFailure | null } | ReportFailure
> => {
  const deliveries = new Map<Month, Delivery>();
  let missing: ReportFailure | null = null;
  let failure: ReportFailure | null = null;
  for (const month of months) {
    const delivery = await readDelivery(location, month, readObject);
    if (!('kind' in delivery)) deliveries.set(month, delivery);
    else if (delivery.error === 'not_found' || delivery.error === 'refused') missing = delivery;
    else if (delivery.error === 'unreadable' || delivery.error === 'too_large') failure = delivery;
    else return delivery;
  }
  return deliveries.size === 0 ? (failure ?? missing ?? failReport('not_found')) : { deliveries, failure };
};

/** Whether all days of a delivery are imported. */
const isImported = (
  month: Month,
  delivery: Delivery | undefined,
  imported: ImportedDelivery | undefined,
): boolean =>
  delivery !== undefined &&
  imported?.version === delivery.version &&
  imported.until >= startOfNextMonth(month);

/** Reads months one at a time: each can take much of the memory of the function. */
const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
};

/** The reports of AWS: the charges of Amazon Bedrock in the files of a data export. */
export const exportReports = (deps: ExportDeps): OpenReports => {
  const next = inTurn();

  const open = async (
    sourceId: string,
    dataExport: DataExport,
  ): Promise<{ location: ExportLocation; readObject: ReadObject } | ReportFailure> => {
    const session = await deps.assumeRole(exportRole(sourceId, dataExport));
    if (session.kind === 'failed') return failReport(session.error);
    const location = exportLocation(dataExport);
    return { location, readObject: deps.objectsOf(location, session) };
  };

  const load = (delivery: Delivery, month: Month, readObject: ReadObject, { until }: ImportRun) =>
    next(async (): Promise<{ charges: Charges } | ReportFailure> => {
      try {
        return await readMonth(delivery, month, { readObject, isOver: () => deps.clock() >= until });
      } catch (error) {
        // What used up the time of this run is no failure of one day.
        const ofRun = deps.clock() >= until;
        return {
          ...(error instanceof ExportTooLarge ? failReport('too_large') : unstorable(error)),
          ofRun,
        };
      }
    });

  return async (source, run) => {
    if (source.data_export === null) return failReport('unreadable');
    const opened = await open(source.id, source.data_export);
    if ('kind' in opened) return opened;
    const { location, readObject } = opened;
    const months = openMonths(source, run.startedAt);
    const read = await readDeliveries(location, months, readObject);
    if ('kind' in read) return read;
    const { deliveries, failure } = read;

    const imported = source.imports.deliveries ?? {};
    const bounds = { first: firstImportedDay(source), now: run.startedAt };
    let loaded: { readonly month: Month; readonly outcome: { charges: Charges } | ReportFailure } | null =
      null;
    return {
      kind: 'opened',
      failure,
      days: withUnread(
        [...deliveries].flatMap(([month, delivery]) =>
          daysOfDelivery(month, delivery, imported[month], bounds),
        ),
        source.imports,
        run.startedAt,
      ),
      isLoaded: (day) => loaded?.month === monthOf(day),
      read: async (day) => {
        const month = monthOf(day);
        const delivery = deliveries.get(month);
        if (delivery === undefined) return failReport('unreadable');
        if (loaded?.month !== month) {
          loaded = null;
          // Also a failure: each day of the month would meet it again.
          loaded = { month, outcome: await load(delivery, month, readObject, run) };
        }
        if ('kind' in loaded.outcome) return loaded.outcome;
        const charges = loaded.outcome.charges.get(day) ?? [];
        const account = reportedAccount([...loaded.outcome.charges.values()].flat());
        return { kind: 'read', account, buckets: [{ start: day, end: day + DAY_MS, charges }] };
      },
      afterDay: (imports, day) => {
        const month = monthOf(day);
        const version = deliveries.get(month)?.version ?? '';
        const seen = { ...imports.deliveries };
        // A day that is tried again does not say how far its delivery was imported.
        const until = Math.max(day + DAY_MS, seen[month]?.version === version ? seen[month].until : 0);
        seen[month] = { version, until };
        // Months without a delivery are looked for again.
        for (const other of months) if (!deliveries.has(other)) seen[other] ??= { version: '', until: 0 };
        const changing = changingMonths(run.startedAt);
        return {
          ...imports,
          deliveries: Object.fromEntries(
            Object.entries(seen).filter(
              ([other, own]) =>
                changing.includes(other) ||
                (months.includes(other) && !isImported(other, deliveries.get(other), own)),
            ),
          ),
        };
      },
    };
  };
};
