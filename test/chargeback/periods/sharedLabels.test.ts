import { describe, expect, it } from 'vitest';
import { sharedLabels } from '../../../functions/chargeback/exports/books/sharedLabels.ts';
import type { CohortIndex, ShownCohort } from '../../../functions/ledger/cohorts/cohortIndex.ts';

const cohort = (labels: ShownCohort['labels']): ShownCohort => ({ id: '1', at: 0, length: 1, labels });
const indexOf = (...shown: readonly ShownCohort['labels'][]): CohortIndex =>
  new Map(shown.map((labels, at) => [String(at), [{ at, length: 1, cohort: cohort(labels) }]]));

const ALL = { owner: 'a', service: 's', provider: 'p', served_model: 'm', 'tag:env': 'prod' };

describe('the labels of a correction', () => {
  it.each([
    ['are all labels that both states show', ALL, [ALL], ALL],
    ['are none of an owner that the other state hides', ALL, [{ service: 's' }], {}],
    ['are none if the other state shows nothing', ALL, [{}], {}],
    [
      'end at the first difference',
      ALL,
      [{ owner: 'a', service: 's', provider: 'x' }],
      { owner: 'a', service: 's' },
    ],
    [
      'skip what both hide',
      { service: 's', provider: 'p' },
      [{ service: 's', provider: 'p' }],
      { service: 's', provider: 'p' },
    ],
    ['end at what only the other state shows', { service: 's' }, [{ owner: 'a', service: 's' }], {}],
    ['tell nobody from a hidden owner', { owner: null }, [{}], {}],
    ['keep nobody where both show nobody', { owner: null }, [{ owner: null }], { owner: null }],
    ['are those of any cohort of the other state', { owner: 'b' }, [ALL, { owner: 'b' }], { owner: 'b' }],
  ] as const)('%s', (_, own, others, labels) => {
    expect(sharedLabels(indexOf(...others))(cohort(own))).toEqual(cohort(labels));
  });

  it('are none of a call that no cohort counts', () => {
    expect(sharedLabels(indexOf(ALL))(null)).toBeNull();
  });
});
