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
 * The groups that use a disproportionate share of the consumers (SQS developer guide, "How Amazon SQS fair queues work").
 * `inFlight` has the group of each message in flight, undefined for a message without one.
 */
export const noisyGroups = (
  inFlight: readonly (string | undefined)[],
  processing: ReadonlyMap<string, GroupLoad>,
  now: number,
): ReadonlySet<string> => {
  const noisy = new Set<string>();
  for (const [group, messages] of Map.groupBy(inFlight, (of) => of)) {
    if (group === undefined) continue;
    if (messages.length >= NOISY_IN_FLIGHT && messages.length > NOISY_SHARE * inFlight.length)
      noisy.add(group);
  }
  const loads = [...processing].map(([group, load]) => ({ group, milliseconds: decayed(load, now) }));
  const total = loads.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  if (total < MINIMUM_PROCESSING_MS) return noisy;
  for (const { group, milliseconds } of loads) {
    if (milliseconds > NOISY_SHARE * total) noisy.add(group);
  }
  return noisy;
};

/**
 * Moves the first `count` messages of groups that are not noisy to the front, in their order. The others follow in theirs.
 */
export const quietFirst = <Message extends { readonly messageGroupId?: string | undefined }>(
  messages: Message[],
  noisy: ReadonlySet<string>,
  count: number,
): void => {
  if (noisy.size === 0) return;
  const isNoisy = ({ messageGroupId }: Message): boolean =>
    messageGroupId !== undefined && noisy.has(messageGroupId);
  const quiet: number[] = [];
  for (let index = 0; index < messages.length && quiet.length < count; index += 1) {
    const message = messages[index];
    if (message !== undefined && !isNoisy(message)) quiet.push(index);
  }
  const moved = quiet.toReversed().flatMap((index) => messages.splice(index, 1));
  messages.unshift(...moved.toReversed());
};
