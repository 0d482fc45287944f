import { sum } from '../../../../sdk/shared/decimal.ts';
import type { UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { type StateShare, shareOfState } from '../../charts/states/stateShares.ts';

type States = UsageTotals['owner_states'];

/** The spend of calls that name nobody, also where it is divided among owners. Hidden calls can be among them. */
export const unownedShare = (states: States): StateShare | undefined => {
  const own = [states['unassigned'], states['allocated']].filter((state) => state !== undefined);
  const [first] = own;
  if (first === undefined) return shareOfState(states, 'unassigned');
  const { allocated: _, ...others } = states;
  const unassigned = {
    ...first,
    cost_usd: sum(own.map(({ cost_usd: cost }) => cost)) ?? '0',
    invocations: own.reduce((count, { invocations }) => count + invocations, 0),
    unpriced_invocations: own.reduce((count, one) => count + one.unpriced_invocations, 0),
  };
  return shareOfState({ ...others, unassigned }, 'unassigned');
};
