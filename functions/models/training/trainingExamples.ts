import type { LedgerReader, Version } from '../../ledger/ledger.store.ts';
import { listRecords, type Period } from '../../ledger/query/listRecords.ts';
import { toInvocationEvent } from '../../ledger/storedEvent.ts';
import { type Example, observationOf } from '../../prediction/observation.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { trainingLabelOf } from '../label.ts';

const HOUR_MILLISECONDS = 60 * 60 * 1_000;
/** The past that a model learns from: four of every weekday. */
const WINDOW_MILLISECONDS = 28 * 24 * HOUR_MILLISECONDS;
/** Calls a model learns from at most: what fits in the memory and the time of one training with room to spare. */
const EXAMPLES_MAXIMUM = 100_000;
const PAGE_RECORDS = 1_000;

/** Whose calls are learnt from at `asOf` (epoch milliseconds): an event may lie up to ten minutes ahead of our clock. */
export const trainingWindow = (asOf: number): Period => ({
  from: asOf - WINDOW_MILLISECONDS,
  to: asOf + HOUR_MILLISECONDS,
});

const exampleOf = ({ attribution: { record, storedEvent } }: Version): Example => ({
  observation: observationOf(toInvocationEvent(record, storedEvent), Date.parse(record.occurred_at)),
  label: trainingLabelOf(record),
});

/** The first calls of a period in order of time, at most so many; and whether that was all of them. */
const readExamples = async (
  ledger: LedgerReader,
  tenant: Tenant,
  period: Period,
  maximum: number,
  asOf: number,
): Promise<{ readonly examples: Example[]; readonly complete: boolean }> => {
  const examples: Example[] = [];
  let after: string | undefined;
  while (examples.length < maximum) {
    const limit = Math.min(PAGE_RECORDS, maximum - examples.length);
    const { items, resume } = await listRecords(ledger, {
      tenant,
      period,
      descending: false,
      after,
      residency: null,
      asOf,
      limit,
    });
    for (const item of items) examples.push(exampleOf(item));
    if (resume === null) return { examples, complete: true };
    after = resume;
  }
  return { examples, complete: false };
};

/**
 * What a tenant's model learns from, in order of time: every call of the window, or where there are too many the first
 * of each hour, so that all hours and days are in it, and labelled and unlabelled calls as they come.
 */
export const gatherExamples = async (
  ledger: LedgerReader,
  tenant: Tenant,
  asOf: number,
): Promise<Example[]> => {
  const period = trainingWindow(asOf);
  const all = await readExamples(ledger, tenant, period, EXAMPLES_MAXIMUM, asOf);
  if (all.complete) return all.examples;
  const hours = Math.ceil((period.to - period.from) / HOUR_MILLISECONDS);
  const examplesPerHour = Math.floor(EXAMPLES_MAXIMUM / hours);
  const sampled: Example[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    const from = period.from + hour * HOUR_MILLISECONDS;
    const within = { from, to: from + HOUR_MILLISECONDS };
    const { examples } = await readExamples(ledger, tenant, within, examplesPerHour, asOf);
    for (const example of examples) sampled.push(example);
  }
  return sampled;
};
