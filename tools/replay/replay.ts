import { pMapIterable } from 'p-map';
import { decimal } from '../../functions/shared/decimal.ts';
import { Awaiting } from '../client/awaiting.ts';
import { faultText } from '../client/errors.ts';
import { findRecords } from '../client/findRecords.ts';
import type { ServiceClient } from '../client/serviceClient.ts';
import type { Wait } from '../client/wait.ts';
import { type Account, Cost } from './account.ts';
import { shiftOf } from './anchor.ts';
import { asFastAsAccepted, batchesOf, paceOf } from './batches.ts';
import { eventOf, type RowIds, rowIds } from './event.ts';
import type { Progress } from './progress.ts';
import type { Labels, ReadRow } from './row.ts';
import { sendBatch } from './sendBatch.ts';
import { Tally } from './tally.ts';
import { openTrace, type Survey, type Trace } from './trace.ts';

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

export interface ReplayTools {
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

async function* firstOf(rows: AsyncIterable<ReadRow>, limit: number): AsyncGenerator<ReadRow> {
  if (limit <= 0) return;
  for await (const row of rows) {
    yield row;
    if (row.number >= limit) return;
  }
}

interface Sending {
  readonly trace: Trace;
  readonly survey: Survey;
  readonly ids: RowIds;
  readonly rows: number;
}

/** Sends the rows, a few batches in flight, and counts the answers into the tally. Resolves to the milliseconds taken. */
const sendRows = async (
  { trace, survey, ids, rows }: Sending,
  { anchor, speed }: ReplayOptions,
  { sender, now, elapsed, wait, progress, stop }: ReplayTools,
  tally: Tally,
): Promise<number> => {
  const extent = survey.extent ?? { first: 0, last: 0 };
  const shift = shiftOf(extent, trace.format, anchor, now());
  const halt = new AbortController();
  const ended = AbortSignal.any([stop, halt.signal]);
  const batches = batchesOf(firstOf(trace.rows(), rows), {
    size: speed === 'max' ? BATCH_AT_FULL_SPEED : BATCH_IN_TIME,
    pace: speed === 'max' ? asFastAsAccepted : paceOf(speed, extent.first),
    now: elapsed,
    wait,
    stop: ended,
  });
  const deliveries = pMapIterable(
    batches,
    async (batch) => {
      const events = batch.rows.map((row) => eventOf(row, ids, shift));
      const delivery = await sendBatch(sender, events, ended);
      if (delivery.fault !== undefined) halt.abort();
      return { batch, events, delivery };
    },
    { concurrency: IN_FLIGHT },
  );
  const began = elapsed();
  for await (const { batch, events, delivery } of deliveries) {
    tally.add(batch, events, delivery);
    progress.update(tally);
  }
  return elapsed() - began;
};

const instant = (at: number): string => new Date(at).toISOString();

/**
 * Replays a file and accounts for every row. The event ids follow from the file's content and the rows, so replaying it
 * again, or after a kill, adds nothing twice. Throws UnreadableFile or a file system's error before anything is sent;
 * later faults are part of the account.
 */
export const replay = async (options: ReplayOptions, tools: ReplayTools): Promise<Account> => {
  const { reader, wait, now, progress, stop } = tools;
  const trace = await openTrace(options.file, options.labels);
  progress.note(`Reading ${options.file} …`);
  const survey = await trace.survey(stop);
  const rows = Math.min(survey.rows, options.limit ?? survey.rows);
  const ids = rowIds(survey.digest);
  const awaiting = new Awaiting(ids.rowOf);
  const tally = new Tally(awaiting);

  progress.start(rows);
  const taken = await sendRows({ trace, survey, ids, rows }, options, tools, tally).finally(() =>
    progress.stop(),
  );

  if (awaiting.remaining > 0) progress.note('Waiting until the records are readable …');
  const cost = new Cost();
  const expected = awaiting.remaining;
  const search = await findRecords({
    client: reader,
    awaiting,
    now,
    found: ({ cost_usd }) => cost.add(cost_usd === null ? null : decimal(cost_usd)),
    wait,
    stop,
  });
  const { sent, accepted, refused, refusals, fault, period } = tally;
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
    repeated: awaiting.repeated,
    visible: search.kind === 'unreadable' ? null : expected - awaiting.remaining,
    visible_note: search.kind === 'all' ? null : search.reason,
    cost_usd: cost.total,
    unpriced: cost.unpriced,
    period: period === undefined ? null : { from: instant(period.from), to: instant(period.to) },
    seconds,
    events_per_second: seconds > 0 ? accepted / seconds : null,
    interrupted: stop.aborted,
    fault: fault === undefined ? null : faultText(fault),
  };
};
