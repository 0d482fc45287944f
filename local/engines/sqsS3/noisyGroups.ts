/** Recent processing time of a group in milliseconds, halved every {@link HALF_LIFE_MS}. */
export interface GroupLoad {
  readonly milliseconds: number;
  readonly at: number;
}

/** SQS calls a group noisy above this share of the messages in flight, or of the recent processing time. */
const NOISY_SHARE = 0.1;
/** And, for messages in flight, with at least so many of its own. */
const NOISY_IN_FLIGHT = 30;
/** What SQS calls recent is not documented. */
const HALF_LIFE_MS = 30_000;
/** Below this nobody waits for consumers. */
const MINIMUM_PROCESSING_MS = 1_000;

const decayed = ({ milliseconds, at }: GroupLoad, now: number): number =>
  milliseconds * 0.5 ** ((now - at) / HALF_LIFE_MS);

/** The load of a group after a message was processed for `took` milliseconds. */
export const shareAfter = (load: GroupLoad | undefined, took: number, now: number): GroupLoad => ({
  milliseconds: (load === undefined ? 0 : decayed(load, now)) + took,
  at: now,
});

/**
 * The groups that use a disproportionate share of the consumers, with their messages in flight (SQS developer guide, "How
 * Amazon SQS fair queues work"). `inFlight` has the group of each message in flight, undefined for a message without one.
 */
export const noisyGroups = (
  inFlight: readonly (string | undefined)[],
  processing: ReadonlyMap<string, GroupLoad>,
  now: number,
): ReadonlyMap<string, number> => {
  const counts = new Map(
    [...Map.groupBy(inFlight, (of) => of)].map(([group, { length }]) => [group, length]),
  );
  const loads = [...processing].map(([group, load]) => ({ group, milliseconds: decayed(load, now) }));
  const total = loads.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const noisy = new Map<string, number>();
  for (const [group, count] of counts) {
    const isNoisy = count >= NOISY_IN_FLIGHT && count > NOISY_SHARE * inFlight.length;
    if (group !== undefined && isNoisy) noisy.set(group, count);
  }
  if (total < MINIMUM_PROCESSING_MS) return noisy;
  for (const { group, milliseconds } of loads) {
    if (milliseconds > NOISY_SHARE * total) noisy.set(group, counts.get(group) ?? 0);
  }
  return noisy;
};

/** Sorts before every noisy group. */
const QUIET = -1;

/**
 * Moves the first `count` messages to the front that are received next: those of quiet groups, then those of the noisy
 * group with the fewest messages in flight. Messages of the same rank keep their order.
 */
export const quietFirst = <Message extends { readonly messageGroupId?: string | undefined }>(
  messages: Message[],
  noisy: ReadonlyMap<string, number>,
  count: number,
): void => {
  if (noisy.size === 0) return;
  const ranks = new Map<number, number[]>();
  for (const [index, { messageGroupId }] of messages.entries()) {
    const rank = messageGroupId === undefined ? QUIET : (noisy.get(messageGroupId) ?? QUIET);
    const indexes = ranks.get(rank) ?? [];
    if (indexes.length < count) indexes.push(index);
    ranks.set(rank, indexes);
    if (ranks.get(QUIET)?.length === count) break;
  }
  const next = [...ranks]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, indexes]) => indexes)
    .slice(0, count);
  const moved = next.flatMap((index) => messages[index] ?? []);
  for (const index of next.toSorted((one, other) => other - one)) messages.splice(index, 1);
  messages.unshift(...moved);
};
