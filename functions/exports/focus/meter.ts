import type { CostComponent } from '../../../schemas/attribution/explanation.ts';

export type MeterKind = CostComponent['kind'];

/** What a provider counts and charges: a SKU of its own for each model. */
export interface Meter {
  /** As FOCUS shows it. */
  readonly name: string;
  /** Its part of a SKU's id. */
  readonly slug: string;
  readonly side: 'read' | 'written' | null;
  /** Spelled as the draft of FOCUS 1.5 does. */
  readonly cacheAction: 'Uncached' | 'Read' | 'Write' | null;
}

const meter = (
  name: string,
  slug: string,
  side: Meter['side'] = null,
  cacheAction: Meter['cacheAction'] = null,
): Meter => ({ name, slug, side, cacheAction });

export const meters: Readonly<Record<MeterKind, Meter>> = {
  input: meter('Input Tokens', 'input', 'read', 'Uncached'),
  cached_input: meter('Cached Input Tokens', 'cached-input', 'read', 'Read'),
  cache_write: meter('Cache Write Tokens', 'cache-write', 'read', 'Write'),
  output: meter('Output Tokens', 'output', 'written'),
  reasoning: meter('Reasoning Tokens', 'reasoning', 'written'),
  request: meter('Requests', 'request'),
  // The whole of a call, where nothing finer is known.
  total: meter('Requests', 'call'),
};
