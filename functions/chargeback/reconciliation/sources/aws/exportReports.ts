import type { DataExport } from '../../../../../schemas/chargeback/dataExport.ts';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import { isTooLarge } from '../../../../platform/shared/itemBudget.ts';
import { type Month, monthOf, startOfMonth } from '../../../../platform/shared/time/month.ts';
import { firstImportedDay } from '../billSource.ts';
import type { ReportedCharge } from '../costReport.ts';
import { failReport, type ReportFailure } from '../readReport.ts';
import type { ImportRun, OpenReports } from '../sourceReports.ts';
import type { AssumeExportRole, RoleSession } from './assumeRole.aws.ts';
import {
  type Delivery,
  daysOfDelivery,
  type ExportLocation,
  exportLocation,
  manifestKey,
  parseManifest,
} from './dataExport.ts';
import { ExportTooLarge } from './exportFile.ts';
import type { ReadObject } from './exportObjects.ts';
import { readMonth } from './readMonth.ts';

type Charges = ReadonlyMap<number, readonly ReportedCharge[]>;

interface ExportDeps {
  readonly assumeRole: AssumeExportRole;
  readonly objectsOf: (location: ExportLocation, session: RoleSession) => ReadObject;
  readonly clock: () => number;
}

/** The month of an instant (epoch milliseconds), and the one before. AWS changes a month up to two weeks after its end. */
const openMonths = (now: number): Month[] => {
  const current = monthOf(now);
  return [monthOf(startOfMonth(current) - DAY_MS), current];
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
    return failReport(isTooLarge(error) ? 'too_large' : 'unreadable');
  }
};

/**
 * The deliveries of the open months. A month without a delivery is left out if the other has one: an export begins with its
 * first month, and each month some hours after its start.
 */
const readDeliveries = async (
  location: ExportLocation,
  months: readonly Month[],
  readObject: ReadObject,
): Promise<Map<Month, Delivery> | ReportFailure> => {
  const deliveries = new Map<Month, Delivery>();
  let missing: ReportFailure | null = null;
  for (const month of months) {
    const delivery = await readDelivery(location, month, readObject);
    if (!('kind' in delivery)) deliveries.set(month, delivery);
    else if (delivery.error === 'not_found' || delivery.error === 'refused') missing = delivery;
    else return delivery;
  }
  return deliveries.size === 0 && missing !== null ? missing : deliveries;
};

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
    const session = await deps.assumeRole(sourceId, dataExport);
    if (session.kind === 'failed') return session;
    const location = exportLocation(dataExport);
    return { location, readObject: deps.objectsOf(location, session) };
  };

  const load = (delivery: Delivery, month: Month, readObject: ReadObject, { until }: ImportRun) =>
    next(async (): Promise<{ charges: Charges } | ReportFailure> => {
      try {
        return await readMonth(delivery, month, { readObject, isOver: () => deps.clock() >= until });
      } catch (error) {
        // The reason could quote the files.
        return failReport(error instanceof ExportTooLarge || isTooLarge(error) ? 'too_large' : 'unreadable');
      }
    });

  return async (source, run) => {
    if (source.data_export === null) return failReport('unreadable');
    const opened = await open(source.id, source.data_export);
    if ('kind' in opened) return opened;
    const { location, readObject } = opened;
    const months = openMonths(run.startedAt);
    const deliveries = await readDeliveries(location, months, readObject);
    if ('kind' in deliveries) return deliveries;

    const imported = source.imports.deliveries ?? {};
    const bounds = { first: firstImportedDay(source), now: run.startedAt };
    let loaded: { readonly month: Month; readonly charges: Charges } | null = null;
    return {
      kind: 'opened',
      days: [...deliveries].flatMap(([month, delivery]) =>
        daysOfDelivery(month, delivery, imported[month], bounds),
      ),
      isLoaded: (day) => loaded?.month === monthOf(day),
      read: async (day) => {
        const month = monthOf(day);
        const delivery = deliveries.get(month);
        if (delivery === undefined) return failReport('unreadable');
        if (loaded?.month !== month) {
          loaded = null;
          const outcome = await load(delivery, month, readObject, run);
          if ('kind' in outcome) return outcome;
          loaded = { month, charges: outcome.charges };
        }
        const charges = loaded.charges.get(day) ?? [];
        return { kind: 'read', buckets: [{ start: day, end: day + DAY_MS, charges }] };
      },
      afterDay: (imports, day) => {
        const month = monthOf(day);
        const version = deliveries.get(month)?.version ?? '';
        const open = Object.entries(imports.deliveries ?? {}).filter(([other]) => months.includes(other));
        return {
          ...imports,
          deliveries: { ...Object.fromEntries(open), [month]: { version, until: day + DAY_MS } },
        };
      },
    };
  };
};
