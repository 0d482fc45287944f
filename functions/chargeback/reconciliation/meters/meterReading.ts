import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';

/** What a meter charges for. */
export interface MeterReading {
  /** Null if it names no model that is known. */
  readonly model: string | null;
  /** Null if it is no kind of tokens that a contract price has. */
  readonly kind: TokenKind | null;
  /** What changes the price of the tokens, such as `batch`, `flex` or `1h`. Null for the standard tier. */
  readonly tier: string | null;
}
