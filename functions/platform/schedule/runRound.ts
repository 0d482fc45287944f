import type { Revision } from '../shared/aws/document.store.ts';
import type { RoundPosition, RoundPositions } from './roundPosition.store.ts';
import type { Continuation, Tick } from './scheduleMessage.ts';

/** What a round visits, in an order that does not change. */
export interface RoundSource<Item> {
  /** The items after a key, and the key after which the next page starts. Null at the end. */
  readonly page: (
    after: string | null,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: string | null }>;
}

export interface Round<Item> {
  readonly name: string;
  /** The round that a tick starts. Ticks with the same round start it once. Default: each tick starts one. */
  readonly roundOf?: (tick: Tick) => string;
  readonly source: RoundSource<Item>;
  readonly positions: RoundPositions;
  /** Sends one message for each item, or does the work of the items. */
  readonly serve: (items: readonly Item[], round: string) => Promise<void>;
  /**
   * `serve` does the work itself. Then the position moves first, so that an item which ends the function does not hold up
   * those behind it. What it misses has its turn in the next round. Default: false.
   */
  readonly isInPlace?: boolean;
  /** Default: the next tick continues the round. */
  readonly sendContinuation?: (message: Continuation) => Promise<void>;
}

/**
 * Serves the items of a source, page by page. The position is saved after each page, so a function that is
 * killed or has no time left loses at most a page of progress. Each page is saved by one function only: another one that did
 * the same page ends, so messages that are delivered twice do not multiply. A tick that comes before the round of an earlier
 * one has ended takes it over at its position. So every item has its turn, however long a round takes. An item may be
 * served twice, so its work must be idempotent.
 */
export const roundRunner =
  (deps: {
    /** Whether the function has time for another page. */
    readonly hasTime: () => boolean;
    /** Returns a unique name for the function. */
    readonly newClaim: () => string;
  }) =>
  async <Item>(
    {
      name,
      roundOf = ({ id }) => id,
      source,
      positions,
      serve,
      isInPlace = false,
      sendContinuation,
    }: Round<Item>,
    message: Tick | Continuation,
  ): Promise<void> => {
    const isTick = 'time' in message;
    const round = isTick ? roundOf(message) : message.round;
    const claim = deps.newClaim();
    const found = await positions.read();
    const stored = found?.document ?? null;
    const isOwn = stored?.round === round;
    if (isOwn ? stored.isDone : !isTick) return;
    let position: RoundPosition =
      stored === null || (!isOwn && stored.isDone)
        ? { round, after: null, isDone: false }
        : { ...stored, round };
    let revision: Revision | null = found?.revision ?? null;
    for (let attempt = 1; ; attempt += 1) {
      const { items, next } = await source.page(position.after);
      if (!isInPlace) await serve(items, round);
      position = { round, after: next, isDone: next === null };
      const by = { claim, attempt };
      if (!(await positions.save(position, revision, by))) return;
      revision = by;
      if (isInPlace) await serve(items, round);
      if (position.isDone) return;
      if (!deps.hasTime()) return await sendContinuation?.({ of: name, round });
    }
  };
