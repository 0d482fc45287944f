import { pMapIterable } from 'p-map';
import { decimal } from '../../functions/shared/decimal.ts';
import { describeFault } from '../client/errors.ts';
import { findRecords } from '../client/findRecords.ts';
import { PendingRows } from '../client/pendingRows.ts';
import type { ServiceClient } from '../client/serviceClient.ts';
import type { Wait } from '../client/wait.ts';
import { asFastAsAccepted, batchesOf, paceOf } from './batches.ts';
import type { Progress } from './progress.ts';
import { CostTotal, type ReplayReport } from './replayReport.ts';
import { ReplayTotals } from './replayTotals.ts';
import type { Labels, ReadRow } from './row.ts';
import { eventOf, type RowIds, rowIds } from './rowEvent.ts';
import { sendBatch } from './sendBatch.ts';
import { timeShiftOf } from './timeShift.ts';
import { openTrace, type Trace, type TraceSummary } from './trace.ts';

export interface ReplayOptions {
  readonly file: string;
  readonly baseUrl: string;
  readonly labels: Labels;
  /** Times real time, or as fast as the service accepts. */
  readonly speed: number | 'max';
  /** Where the last row ends, in epoch milliseconds. */
  readonly anchor?: number | undefined;
  /** Only the first so many rows; their times stay those they have in the whole file. */
  readonly limit?: number | undefined;
}

export interface ReplayDependencies {
  readonly sender: Pick<ServiceClient, 'postBatch'>;
  readonly reader: Pick<ServiceClient, 'records'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds from any origin, never set back. */
  readonly elapsed: () => number;
  readonly wait: Wait;
  readonly progress: Progress;
  /** Ends the replay; what is under way is still answered and accounted for. */
  readonly stop: AbortSignal;
}

const IN_FLIGHT = 4;
const BATCH_AT_FULL_SPEED = 500;
const BATCH_IN_TIME = 100;

async function* takeRows(rows: AsyncIterable<ReadRow>, limit: number): AsyncGenerator<ReadRow> {
  if (limit <= 0) return;
  for await (const row of rows) {
    yield row;
    if (row.number >= limit) return;
  }
}

interface SendPlan {
  readonly trace: Trace;
  readonly survey: TraceSummary;
  readonly ids: RowIds;
  readonly rows: number;
}

/** Sends the rows, a few batches in flight, and counts the answers into the tally. Resolves to the milliseconds taken. */
const sendRows = async (
  { trace, survey, ids, rows }: SendPlan,
  { anchor, speed }: ReplayOptions,
  { sender, now, elapsed, wait, progress, stop }: ReplayDependencies,
  totals: ReplayTotals,
): Promise<number> => {
  const extent = survey.extent ?? { first: 0, last: 0 };
  const shift = timeShiftOf(extent, trace.format, anchor, now());
  const halt = new AbortController();
  const stopSignal = AbortSignal.any([stop, halt.signal]);
  const batches = batchesOf(takeRows(trace.rows(), rows), {
    size: speed === 'max' ? BATCH_AT_FULL_SPEED : BATCH_IN_TIME,
    pace: speed === 'max' ? asFastAsAccepted : paceOf(speed, extent.first),
    now: elapsed,
    wait,
    stop: stopSignal,
  });
  const results = pMapIterable(
    batches,
    async (batch) => {
      const events = batch.rows.map((row) => eventOf(row, ids, shift));
      const delivery = await sendBatch(sender, events, stopSignal);
      if (delivery.fault !== undefined) halt.abort();
      return { batch, events, delivery };
    },
    { concurrency: IN_FLIGHT },
  );
  const began = elapsed();
  for await (const { batch, events, delivery } of results) {
    totals.add(batch, events, delivery);
    progress.update(totals);
  }
  return elapsed() - began;
};

const instant = (at: number): string => new Date(at).toISOString();

/**
 * Replays a file and accounts for every row. The event ids follow from the file's content and the rows, so replaying it
 * again, or after a kill, adds nothing twice. Throws UnreadableFile or a file system's error before anything is sent;
 * later faults are part of the account.
 */
export const replay = async (options: ReplayOptions, tools: ReplayDependencies): Promise<ReplayReport> => {
  const { reader, wait, now, progress, stop } = tools;
  const trace = await openTrace(options.file, options.labels);
  progress.note(`Reading ${options.file} …`);
  const survey = await trace.summarize(stop);
  const rows = Math.min(survey.rows, options.limit ?? survey.rows);
  const ids = rowIds(survey.digest);
  const pending = new PendingRows(ids.rowOf);
  const totals = new ReplayTotals(pending);

  progress.start(rows);
  const taken = await sendRows({ trace, survey, ids, rows }, options, tools, totals).finally(() =>
    progress.stop(),
  );

  if (pending.remaining > 0) progress.note('Waiting until the records are readable …');
  const cost = new CostTotal();
  const expected = pending.remaining;
  const search = await findRecords({
    client: reader,
    awaiting: pending,
    now,
    onFound: ({ cost_usd }) => cost.add(cost_usd === null ? null : decimal(cost_usd)),
    wait,
    stop,
  });
  const { sent, accepted, refused, refusals, fault, period } = totals;
  const seconds = taken / 1_000;
  return {
    file: options.file,
    base_url: options.baseUrl,
    format: trace.format,
    rows,
    sent,
    accepted,
    refused,
    refusals,
    repeated: pending.repeated,
    visible: search.kind === 'unreadable' ? null : expected - pending.remaining,
    visible_note: search.kind === 'all' ? null : search.reason,
    cost_usd: cost.total,
    unpriced: cost.unpriced,
    period: period === undefined ? null : { from: instant(period.from), to: instant(period.to) },
    seconds,
    events_per_second: seconds > 0 ? accepted / seconds : null,
    interrupted: stop.aborted,
    fault: fault === undefined ? null : describeFault(fault),
  };
};
