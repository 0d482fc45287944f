import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { LedgerReader, Version } from '../../ledger/records/ledger.store.ts';
import { listRecords } from '../../ledger/records/query/listRecords.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { homeLane, type Tenant } from '../../platform/tenancy/tenant.ts';
import { trainingLabelOf } from './models/label.ts';
import { foreignLane } from './prediction/likelihood/labelLane.ts';
import { type Example, observationOf, type TracedExample } from './prediction/observation.ts';
import { type TracedCall, tracedCallOf, tracedNames } from './tracedNames.ts';

/** Length of the training window: four of each weekday. */
const WINDOW_MS = 28 * DAY_MS;
/** Most examples of a training. They fit into the memory and the timeout of the function with a margin. */
const EXAMPLES_MAXIMUM = 100_000;
const PAGE_RECORDS = 1_000;

/**
 * The training window at `asOf` (epoch milliseconds). Producers' clocks may be ten minutes ahead, so it ends after `asOf`.
 */
export const trainingWindow = (asOf: number): Interval => ({
  from: asOf - WINDOW_MS,
  to: asOf + HOUR_MS,
});

const exampleOf = (tenant: Tenant, { attribution: { record, storedEvent } }: Version): Example => {
  const lane = foreignLane(record.residency, homeLane(tenant));
  const event = toInvocationEvent(record, storedEvent);
  return {
    observation: observationOf(event, Date.parse(record.occurred_at), lane),
    label: trainingLabelOf(record, lane),
  };
};

const withTraced = (example: Example, traced: TracedExample | undefined): Example =>
  traced === undefined ? example : { ...example, traced };

/** Reads at most `maximum` calls of a period in time order. `complete` tells whether these were all. */
const readExamples = async (
  ledger: LedgerReader,
  tenant: Tenant,
  period: Interval,
  maximum: number,
  asOf: number,
): Promise<{ readonly examples: Example[]; readonly complete: boolean }> => {
  const examples: Example[] = [];
  const traced: TracedCall[] = [];
  const result = (complete: boolean) => {
    const names = tracedNames(traced);
    return { examples: examples.map((example, at) => withTraced(example, names[at])), complete };
  };
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
    for (const item of items) {
      examples.push(exampleOf(tenant, item));
      traced.push(tracedCallOf(item.attribution));
    }
    if (resume === null) return result(true);
    after = resume;
  }
  return result(false);
};

/** Records of newer calls may still be written. A training leaves them to the next one. */
const SETTLING_MS = 30_000;

/** A training at `asOf` reads the calls before this instant. Both are epoch milliseconds. */
export const settledAt = (asOf: number): number => asOf - SETTLING_MS;

/**
 * The calls since a training, which had read up to `from`, in time order. Null when they are so many that the training
 * should start again.
 */
export const gatherNewExamples = async (
  ledger: LedgerReader,
  tenant: Tenant,
  from: number,
  asOf: number,
): Promise<Example[] | null> => {
  const period = { from, to: settledAt(asOf) };
  const { examples, complete } = await readExamples(ledger, tenant, period, EXAMPLES_MAXIMUM, asOf);
  return complete ? examples : null;
};

/**
 * The training examples of a tenant in time order. Returns every call of the window. Above the limit it returns the first
 * calls of each hour, which keeps all hours and days, and the mix of labelled and unlabelled calls.
 */
export const gatherExamples = async (
  ledger: LedgerReader,
  tenant: Tenant,
  asOf: number,
): Promise<Example[]> => {
  const period = { ...trainingWindow(asOf), to: settledAt(asOf) };
  const all = await readExamples(ledger, tenant, period, EXAMPLES_MAXIMUM, asOf);
  if (all.complete) return all.examples;
  const hours = Math.ceil((period.to - period.from) / HOUR_MS);
  const examplesPerHour = Math.floor(EXAMPLES_MAXIMUM / hours);
  const sampled: Example[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    const from = period.from + hour * HOUR_MS;
    const within = { from, to: from + HOUR_MS };
    const { examples } = await readExamples(ledger, tenant, within, examplesPerHour, asOf);
    for (const example of examples) sampled.push(example);
  }
  return sampled;
};
