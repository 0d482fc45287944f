import { pMapIterable } from 'p-map';
import { decimal } from '../../functions/platform/shared/decimal.ts';
import { describeFault } from '../client/errors.ts';
import { findRecords } from '../client/findRecords.ts';
import { PendingRows } from '../client/pendingRows.ts';
import type { ServiceClient } from '../client/serviceClient.ts';
import type { Wait } from '../client/wait.ts';
import { batchesOf, scheduleAtSpeed, sendWithoutDelay } from './batches.ts';
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
  /** Multiple of real time, or as fast as the service accepts. */
  readonly speed: number | 'max';
  /** The time of the last row after the shift, in epoch milliseconds. */
  readonly anchor?: number | undefined;
  /** Replay only the first rows. Their times do not change with the limit. */
  readonly limit?: number | undefined;
}

export interface ReplayDependencies {
  readonly sender: Pick<ServiceClient, 'postBatch'>;
  readonly reader: Pick<ServiceClient, 'records'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Monotonic time in milliseconds. */
  readonly elapsed: () => number;
  readonly wait: Wait;
  readonly progress: Progress;
  /** Ends the replay. Responses to sent requests are still counted. */
  readonly stop: AbortSignal;
}

const IN_FLIGHT = 4;
const BATCH_SIZE_AT_FULL_SPEED = 500;
const BATCH_SIZE_AT_PACE = 100;

async function* takeRows(rows: AsyncIterable<ReadRow>, limit: number): AsyncGenerator<ReadRow> {
  if (limit <= 0) return;
  for await (const row of rows) {
    yield row;
    if (row.number >= limit) return;
  }
}

interface SendPlan {
  readonly trace: Trace;
  readonly summary: TraceSummary;
  readonly ids: RowIds;
  readonly rows: number;
}

/** Sends the rows with a few batches in flight and adds the results to the totals. Resolves to the elapsed milliseconds. */
const sendRows = async (
  { trace, summary, ids, rows }: SendPlan,
  { anchor, speed }: ReplayOptions,
  { sender, now, elapsed, wait, progress, stop }: ReplayDependencies,
  totals: ReplayTotals,
): Promise<number> => {
  const extent = summary.extent ?? { first: 0, last: 0 };
  const shift = timeShiftOf(extent, trace.format, anchor, now());
  const halt = new AbortController();
  const stopSignal = AbortSignal.any([stop, halt.signal]);
  const batches = batchesOf(takeRows(trace.rows(), rows), {
    size: speed === 'max' ? BATCH_SIZE_AT_FULL_SPEED : BATCH_SIZE_AT_PACE,
    schedule: speed === 'max' ? sendWithoutDelay : scheduleAtSpeed(speed, extent.first),
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
  const startedAt = elapsed();
  for await (const { batch, events, delivery } of results) {
    totals.add(batch, events, delivery);
    progress.update(totals);
  }
  return elapsed() - startedAt;
};

const instant = (at: number): string => new Date(at).toISOString();

/**
 * Replays a file and reports the result of every row. Event ids are derived from the content of the file and the row, so
 * replaying it again, or after a kill, adds no duplicates. Throws UnreadableFile or a file system error before anything is
 * sent. Later errors are part of the report.
 */
export const replay = async (
  options: ReplayOptions,
  dependencies: ReplayDependencies,
): Promise<ReplayReport> => {
  const { reader, wait, now, progress, stop } = dependencies;
  const trace = await openTrace(options.file, options.labels);
  progress.note(`Reading ${options.file} …`);
  const summary = await trace.summarize(stop);
  const rows = Math.min(summary.rows, options.limit ?? summary.rows);
  const ids = rowIds(summary.digest);
  const pending = new PendingRows(ids.rowOf);
  const totals = new ReplayTotals(pending);

  progress.start(rows);
  const elapsedMs = await sendRows({ trace, summary, ids, rows }, options, dependencies, totals).finally(() =>
    progress.stop(),
  );

  if (pending.remaining > 0) progress.note('Waiting until the records are readable …');
  const cost = new CostTotal();
  const expected = pending.remaining;
  const search = await findRecords({
    client: reader,
    pending: pending,
    now,
    onFound: ({ cost_usd }) => cost.add(cost_usd === null ? null : decimal(cost_usd)),
    wait,
    stop,
  });
  const { sent, accepted, refused, refusals, fault, period } = totals;
  const seconds = elapsedMs / 1_000;
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
