import { type Dimension, type Group, nameOfValue } from '../../../charts/usage.ts';
import { HIDDEN } from '../../../format/words.ts';

const kindNames: Readonly<Record<Exclude<Group['kind'], 'named'>, string>> = {
  folded: HIDDEN,
  nobody: 'Nobody named',
  other: 'All others',
};

/** The name of a group of these dimensions. A value that it lacks is that of calls without one. */
export const nameOfGroup = (
  { kind, values }: Pick<Group, 'kind' | 'values'>,
  dimensions: readonly Dimension[],
): string =>
  kind === 'named'
    ? dimensions.map((dimension, index) => nameOfValue(dimension, values[index] ?? null)).join(' · ')
    : kindNames[kind];
