import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { listOf } from '../../api/listOf.ts';
import { choice, codec, day, text } from '../../url/codec.ts';

export const KINDS = listOf<Saving['saving']>()([
  'prompt_caching',
  'batch',
  'replacement_model',
  'failed_calls',
  'long_context',
  'idle_nodes',
]);

/** What the calls of a suggestion have in common. */
export const NAMES = ['owner', 'service', 'provider', 'served_model'] as const;
export type Name = (typeof NAMES)[number];

/** A suggestion in a list. */
export const keyOf = (row: Saving): string =>
  JSON.stringify([row.saving, row.kind, row.pool, ...NAMES.map((name) => row[name])]);

/** The report covers at most 31 days. */
export const savingsCodec = codec({
  days: choice(['7', '14', '30'], '30'),
  from: day(),
  to: day(),
  dismissed: choice(['exclude', 'include', 'only'], 'exclude'),
  kind: choice(['all', ...KINDS], 'all'),
  owner: text(),
  service: text(),
  provider: text(),
  served_model: text(),
});

export type SavingsState = ReturnType<typeof savingsCodec.read>;

export const filtersOf = (state: SavingsState): ReadonlyMap<Name, string> =>
  new Map(NAMES.flatMap((name) => (state[name] === '' ? [] : [[name, state[name]] as const])));
