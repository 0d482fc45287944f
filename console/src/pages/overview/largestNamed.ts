import type { Series } from '../../charts/series.ts';

/** The first series of an owner: nobody, hidden groups and the sum of the others are none. The largest comes first. */
export const largestNamed = <Kind extends Pick<Series, 'kind'>>(owners: readonly Kind[]): Kind | undefined =>
  owners.find(({ kind }) => kind === 'named');
