import { ProblemError } from './problem.ts';

/**
 * The items that a decoder may still read from one body. A small body can hold millions of empty items, and each becomes
 * objects many times its size. So a decoder spends an item before it makes anything of it. `what` names the items in the
 * problem.
 */
export class ItemBudget {
  readonly #maximum: number;
  readonly #what: string;
  #left: number;

  constructor(maximum: number, what = 'values') {
    this.#maximum = maximum;
    this.#what = what;
    this.#left = maximum;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws PAYLOAD_TOO_LARGE when more items are spent than the body may have. */
  spend(count = 1): void {
    this.#left -= count;
    if (this.#left < 0) throw this.exceeded();
  }

  exceeded(): ProblemError {
    return new ProblemError(
      'PAYLOAD_TOO_LARGE',
      `The body has more than ${this.#maximum} ${this.#what}. Send smaller batches.`,
    );
  }
}

/** Whether an error says that a body is too large. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'PAYLOAD_TOO_LARGE';
