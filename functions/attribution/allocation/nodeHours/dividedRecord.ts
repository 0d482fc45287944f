import { isDeepStrictEqual } from 'node:util';
import type { CostExplanation } from '../../../../schemas/attribution/costExplanation.ts';
import type { CostUnknown } from '../../../../schemas/attribution/unknownCost.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { NODE_ENERGY_METHOD } from '../../../impact/footprint/nodeEnergy.ts';
import { assessFootprint } from '../../../impact/impact.ts';
import type { ModelIdentity } from '../../../impact/usage/modelIdentity.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { besideOthers } from '../../engine/attribute.ts';
import { withCost } from '../../engine/withCost.ts';

/** The next version of a record with its share as its cost; null if it has it. */
export const dividedRecord = (
  current: Attribution,
  own: CostExplanation | CostUnknown,
  { event, identity }: { readonly event: InvocationEvent; readonly identity: ModelIdentity },
  at: number,
): Attribution | null => {
  const { same_call: sameCall = null, trace = null } = current.storedEvent;
  const known = typeof own === 'string' ? null : own;
  const { cost } = besideOthers(
    { cost: known, energy: null, carbon: null, water: null, unknown: {} },
    sameCall,
    trace,
  );
  const isSame =
    typeof own === 'string'
      ? current.explanation.cost === null && current.record.interpretation.unknown?.cost === own
      : isDeepStrictEqual(current.explanation.cost, cost);
  const isPowered = known?.node_hours?.energy !== undefined;
  const wasPowered = current.explanation.energy?.method === NODE_ENERGY_METHOD;
  // The energy of all other calls is that of their tokens, which a division does not change.
  const footprint = isPowered || wasPowered ? assessFootprint(event, identity, identity.model, own) : null;
  return isSame ? null : withCost(current, cost ?? own, at, footprint);
};
