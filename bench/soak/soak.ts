import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { utcDateOf } from '../../functions/platform/shared/time/toIso.ts';
import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { DAY_MS, MINUTE_MS } from '../../schemas/durations.ts';
import { call } from '../../test/support/client.ts';
import { changeMaker } from './changes.ts';
import { type SoakClient, soakClient, type Target } from './client.ts';
import { invariants, type Outcome, readRecords, streamHasNoGaps } from './invariants.ts';
import type { Journal } from './journal.ts';
import { requestSource } from './traffic.ts';

/** Requests in flight. More than this are not begun, so a service that stands still meets no flood. */
const IN_FLIGHT_MAXIMUM = 16;
/** One change for so many requests of events. */
const REQUESTS_PER_CHANGE = 8;
/** How long requests that have no response are repeated after the load, and how long the service may need to follow. */
const GRACE_MS = 5 * MINUTE_MS;
const FOLLOW_MS = 15 * MINUTE_MS;
const POLL_MS = 2_000;
const LATE_DAYS = 41;

/** What a report has counted so far. */
const Counted = z
  .object({ totals: z.object({ invocations: z.int() }) })
  .catch({ totals: { invocations: 0 } });

interface Load {
  readonly target: Target;
  readonly journal: Journal;
  readonly draws: Draws;
  readonly rate: number;
  /** Epoch milliseconds. */
  readonly end: number;
}

/** Sends requests at a rate until the end. Resolves when each has a response, or none within the time of grace. */
export const runLoad = async ({ target, journal, draws, rate, end }: Load): Promise<SoakClient> => {
  const client = soakClient(target);
  const next = requestSource(draws);
  const until = end + GRACE_MS;
  const makeChange = changeMaker(draws, target, { client, journal, until });
  const inFlight = new Set<Promise<void>>();
  const send = async (): Promise<void> => {
    const { path, body, calls } = next(Date.now());
    // The cost of a call that is sent again is that of its first report.
    const fresh = calls.filter(({ eventId }) => !journal.accepted.has(eventId));
    for (const one of fresh) journal.uncertain.set(one.eventId, one);
    const answer = await client.change(path, body, until);
    // An exporter of OpenTelemetry gets 200.
    if (answer?.status === 202 || answer?.status === 200) journal.acceptCalls(fresh);
    else if (answer !== null) throw new Error(`events were refused: ${answer.text}`);
  };
  for (let count = 1; Date.now() < end; count += 1) {
    const isChange = count % REQUESTS_PER_CHANGE === 0;
    const work: Promise<void> = (isChange ? makeChange() : send()).finally(() => inFlight.delete(work));
    inFlight.add(work);
    if (inFlight.size >= IN_FLIGHT_MAXIMUM) await Promise.race(inFlight);
    await sleep(1_000 / rate);
  }
  await Promise.all(inFlight);
  return client;
};

/** Waits until all accepted events are records, and the totals include them. Throws when no progress is seen for too long. */
export const waitUntilFollowed = async ({
  target,
  journal,
}: Pick<Load, 'target' | 'journal'>): Promise<void> => {
  let until = Date.now() + FOLLOW_MS;
  let counted = 0;
  for (;;) {
    const report = await call(target.baseUrl(), '/v1/reports/usage', { key: target.key() }).catch(() => null);
    const { invocations } = Counted.parse(report?.body).totals;
    // A machine that others share works off its queue more slowly.
    if (invocations > counted) [counted, until] = [invocations, Date.now() + FOLLOW_MS];
    if (report?.status === 200 && report.body['stale'] === false) {
      const ids = new Set((await readRecords(target)).map(({ event_id }) => String(event_id)));
      if ([...journal.accepted.keys()].every((id) => ids.has(id))) return;
    }
    if (Date.now() > until) throw new Error('the service did not follow for 15 minutes');
    await sleep(POLL_MS);
  }
};

/** Waits until the receiver has got every record. Throws when that takes too long. */
export const waitUntilDelivered = async (
  target: Target,
  read: () => NonNullable<Outcome['deliveries']>,
): Promise<void> => {
  const until = Date.now() + FOLLOW_MS;
  // Reading all of them takes a starved service minutes, in which it delivers.
  const records = await readRecords(target);
  while (streamHasNoGaps({ deliveries: read(), records }).length > 0) {
    if (Date.now() > until) throw new Error('the receiver did not get all records within 15 minutes');
    await sleep(POLL_MS);
  }
};

/** What breaks each invariant. */
export const checkInvariants = async (
  outcome: Omit<Outcome, 'records' | 'days'>,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const records = await readRecords(outcome.target);
  const days = { from: utcDateOf(Date.now() - LATE_DAYS * DAY_MS), to: utcDateOf(Date.now() + DAY_MS) };
  const found: Record<string, readonly string[]> = {};
  for (const [name, check] of Object.entries(invariants))
    found[name] = await check({ ...outcome, records, days });
  return found;
};
