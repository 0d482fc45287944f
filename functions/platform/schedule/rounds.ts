import { settleAll } from '../shared/settleAll.ts';
import type { Continuation, Tick } from './scheduleMessage.ts';

/** A round that runs for a message. See `runRound.ts`. */
export interface NamedRound {
  readonly name: string;
  readonly run: (message: Tick | Continuation) => Promise<void>;
}

/**
 * Runs the rounds of a queue that a message starts or continues, each independently. Throws if one failed, so that the
 * message returns: those that are done then do nothing.
 */
export const roundsHandler =
  (rounds: readonly NamedRound[]) =>
  async (message: Tick | Continuation): Promise<void> => {
    const meant = rounds.filter(({ name }) => 'time' in message || message.of === name);
    await settleAll(meant.map(({ run }) => run(message)));
  };
