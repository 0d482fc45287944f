import { expect, it } from 'vitest';
import { shownDimensionsOf } from '../../../../functions/chargeback/exports/focus/shownDimensions.ts';

const grain = { granularity: 'day' as const, groupBy: new Set(['owner'] as const) };

it.each([
  [
    { owner: 'ads', owner_state: 'confirmed' },
    { owner: 'ads', ownerState: 'confirmed' },
  ],
  [
    { owner: 'ads', owner_state: 'provisional' },
    { owner: null, ownerState: 'unassigned' },
  ],
  [
    { owner: null, owner_state: 'allocated' },
    { owner: null, ownerState: 'unassigned' },
  ],
  [{ owner: 'ads' }, { owner: null, ownerState: 'hidden' }],
  [{}, { owner: null, ownerState: 'hidden' }],
])('charges %j as %j: what is hidden is not unassigned', (labels, shown) => {
  expect(shownDimensionsOf(labels, grain)).toMatchObject(shown);
});
